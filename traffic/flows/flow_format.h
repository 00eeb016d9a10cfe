// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "tlm/topology/place_names.h"
#include "traffic/flows/flow.h"
#include "traffic/flows/quantity.h"

#include <string>
#include <string_view>
#include <vector>

/// Formats of files of flows, each with a reader.
namespace sare::traffic {

/// The text of a file of flows, and the data on the network that a reader needs.
struct flow_file {
    std::string text, name;              ///< `name`: name in messages, "name:line: ..."
    std::uint32_t nodes = 0;             ///< number of nodes of the network
    const place_names* names = nullptr;  ///< names of nodes; null: they have none
    flow_units units;
    flow usual;  ///< flow whose length and class hold if a file gives none

    config::location line(std::size_t number) const { return {name, static_cast<int>(number), 1}; }
    /// Returns the node of a number or name. Throws config::error at `at` if there is none.
    std::uint32_t node(const std::string& word, const config::location& at) const;
    /// Throws config::error at `at` if `count` is above `nodes`; `what`: things that each stand for a node
    /// ("rows").
    void check_nodes(std::size_t count, const std::string& what, const config::location& at) const;
};

/// A numbered line without comments, in words.
struct flow_line {
    std::size_t number;
    std::vector<std::string> words;
};
/// Returns the lines that are not empty. `ends`: characters that end a word, so that two in a row enclose an
/// empty word, while spaces are left out; "": words end with spaces; "\n": a line is a word. `comments`:
/// characters each of which begins a comment.
std::vector<flow_line> lines_of(const std::string& text, std::string_view ends, std::string_view comments);

class flow_format {
  public:
    virtual ~flow_format() = default;
    /// True if the file can be of no other format.
    virtual bool recognises(const flow_file& file) const = 0;
    /// Returns the flows of a file. Throws config::error at the line of an error.
    virtual flow_list read(const flow_file& file) const = 0;
};

using flow_format_registry = config::registry<flow_format>;

/// Returns a number of a file. Throws config::error at `at` if it is negative or no number.
double to_share(const std::string& word, const config::location& at);

/// Adds a flow for each entry above 0 of a square matrix of rates, whose rows are sources.
void add_matrix(const std::vector<std::vector<double>>& rows, const flow_file& file,
                const config::location& at, flow_list& all);

}  // namespace sare::traffic

namespace sare {
// In flow_format.cpp, for all files that register one.
extern template class config::registry<traffic::flow_format>;
}  // namespace sare
