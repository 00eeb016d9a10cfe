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

/// The text of a file, and what it is read with.
struct flow_file {
    std::string text, name;  ///< `name`: in messages, "name:line: ..."
    std::uint32_t nodes = 0;
    const place_names* names = nullptr;  ///< of nodes; null: they have none
    flow_units units;
    flow usual;  ///< of what a file does not say: length, class

    config::location line(std::size_t number) const { return {name, static_cast<int>(number), 1}; }
    /// A node by its number or name.
    std::uint32_t node(const std::string& word, const config::location& at) const;
    /// One of `count` rows or columns is a node; throws config::error where there are not as many.
    void check_nodes(std::size_t count, const std::string& what, const config::location& at) const;
};

/// Numbered lines without comments, in words.
struct flow_line {
    std::size_t number;
    std::vector<std::string> words;
};
/// `ends`: characters between words; two in a row have an empty word between them. None: spaces; else those
/// are left out. "\n": each line is a word. Comments begin with any of `comments`. Empty lines are left out.
std::vector<flow_line> lines_of(const std::string& text, std::string_view ends, std::string_view comments);

class flow_format {
  public:
    virtual ~flow_format() = default;
    /// It can be no other format.
    virtual bool recognises(const flow_file& file) const = 0;
    virtual flow_list read(const flow_file& file) const = 0;
};

using flow_format_registry = config::registry<flow_format>;

/// A number of a file, not negative; throws config::error at `at`.
double to_share(const std::string& word, const config::location& at);

/// Adds a flow for each entry of a square matrix above 0; its rows are sources.
void add_matrix(const std::vector<std::vector<double>>& rows, const flow_file& file,
                const config::location& at, flow_list& all);

}  // namespace sare::traffic

namespace sare {
// In flow_format.cpp, for all files that register one.
extern template class config::registry<traffic::flow_format>;
}  // namespace sare
