// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "tlm/topology/place_names.h"
#include "traffic/flows/flow.h"
#include "traffic/flows/quantity.h"

#include <string>
#include <string_view>
#include <vector>

/// Files of flows, a reader each.
namespace sare::traffic {

/// The text of a file of flows, and what a reader needs with it.
struct flow_file {
    std::string text, name;  ///< `name`: name in messages, "name:line: ..."
    std::uint32_t nodes = 0;
    const place_names* names = nullptr;  ///< names of nodes; null: they have none
    flow_units units;
    flow usual;  ///< flow whose length and class hold if a file gives none

    config::location line(std::size_t number) const { return {name, static_cast<int>(number), 1}; }
    /// Returns the node of a number or name.
    std::uint32_t node(const std::string& word, const config::location& at) const;
    /// Throws config::error if there are more than nodes: each of `count` `what` (rows, columns) is a node.
    void check_nodes(std::size_t count, const std::string& what, const config::location& at) const;
};

/// A numbered line without comments, in words.
struct flow_line {
    std::size_t number;
    std::vector<std::string> words;
};
/// Returns the lines that are not empty. `ends`: characters between words, of which two in a row enclose an
/// empty one; "": spaces, which are else left out; "\n": a line is a word. `comments`: what begins a comment.
std::vector<flow_line> lines_of(const std::string& text, std::string_view ends, std::string_view comments);

class flow_format {
  public:
    virtual ~flow_format() = default;
    /// True if the file can be of no other format.
    virtual bool recognises(const flow_file& file) const = 0;
    virtual flow_list read(const flow_file& file) const = 0;
};

using flow_format_registry = config::registry<flow_format>;

/// Returns a number of a file, which is not negative; throws config::error at `at`.
double to_share(const std::string& word, const config::location& at);

/// Adds a flow for each entry above 0 of a square matrix, whose rows are sources.
void add_matrix(const std::vector<std::vector<double>>& rows, const flow_file& file,
                const config::location& at, flow_list& all);

}  // namespace sare::traffic

namespace sare {
// In flow_format.cpp, for all files that register one.
extern template class config::registry<traffic::flow_format>;
}  // namespace sare
