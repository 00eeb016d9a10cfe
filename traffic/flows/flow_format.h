// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "tlm/topology/place_names.h"
#include "traffic/flows/flow.h"
#include "traffic/flows/quantity.h"

#include <string>
#include <string_view>
#include <vector>

/// Formats of files of flows; each has a reader, which registers itself by name.
namespace sare::traffic {

/// A file of flows, and what a reader needs to know of the network.
struct flow_file {
    std::string text, name;   ///< contents of the file; its name in error messages, "name:line: ..."
    std::uint32_t nodes = 0;  ///< number of nodes of the network
    const place_names* names = nullptr;  ///< names of nodes; null: nodes have only numbers
    /// Unit of rates that are written without one, and factors of the other units.
    flow_units units;
    flow usual;  ///< flow with the defaults of all properties that the file does not give

    /// Returns the place of a line of the file, by its number from 1.
    config::location line(std::size_t number) const { return {name, static_cast<int>(number), 1}; }
    /// Returns the node that `word` names by number or name. Throws config::error at `at` if there is no such
    /// node.
    std::uint32_t node(const std::string& word, const config::location& at) const;
    /// Throws config::error at `at` if `count` is above `nodes`. `what`: the things counted, each of which
    /// stands for a node, such as "rows".
    void check_nodes(std::size_t count, const std::string& what, const config::location& at) const;
};

/// A line of a file, in words.
struct flow_line {
    /// Number of the line in the file, from 1.
    std::size_t number;
    std::vector<std::string> words;  ///< words of the line, without the comment
};
/// Returns the lines of `text` that have more than blanks and comments. `ends`: characters that end a word,
/// so that two in a row enclose an empty word, while blanks are dropped; empty: words end at blanks; "\n":
/// the whole line is one word. `comments`: characters each of which begins a comment.
std::vector<flow_line> lines_of(const std::string& text, std::string_view ends, std::string_view comments);

/// A format of files of flows.
class flow_format {
  public:
    virtual ~flow_format() = default;
    /// Returns true if the text of the file can only be of this format.
    virtual bool recognises(const flow_file& file) const = 0;
    /// Returns the flows of the file, with rates in flits per cycle. Throws config::error at a line that is
    /// wrong.
    virtual flow_list read(const flow_file& file) const = 0;
};

/// All formats, by name.
using flow_format_registry = config::registry<flow_format>;

/// Returns the number, 0 or more, that the whole of `word` spells. Throws config::error at `at` if it is
/// negative, infinite or no number.
double to_share(const std::string& word, const config::location& at);

/// Appends to `all` a flow for each entry above 0 of a square matrix of rates in flits per cycle: entry
/// [s][d] is the rate from node s to node d. Other properties are copied from file.usual; `at` becomes the
/// place of each flow. Throws config::error at `at` if the matrix is not square or has more rows than there
/// are nodes.
void add_matrix(const std::vector<std::vector<double>>& rows, const flow_file& file,
                const config::location& at, flow_list& all);

}  // namespace sare::traffic

namespace sare {
// In flow_format.cpp, for all files that register one.
extern template class config::registry<traffic::flow_format>;
}  // namespace sare
