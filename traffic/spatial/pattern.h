// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <cstdint>
#include <string>
#include <vector>

/// Spatial patterns, which choose the destinations of messages. Each pattern can be used with each source.
namespace sare {
class archive;
class place_names;
}  // namespace sare

namespace sare::traffic {

class pattern {
  public:
    virtual ~pattern() = default;
    /// Returns the destination of the next message of `source`. `random`: the random stream of that node
    /// alone, so that draws do not depend on other nodes. Called once for each message: it should not
    /// allocate memory.
    virtual std::uint32_t destination(std::uint32_t source, rng& random) = 0;
    /// Adds to `to` the probability of each node to be the destination() of a message of `source`, over many
    /// messages; returns false if it is not known. For a silent source the numbers have no meaning.
    virtual bool shares(std::uint32_t source, std::vector<double>& to) const {
        (void)source, (void)to;
        return false;
    }
    /// True if destination() is other_node(), which a source may then call itself, to be faster.
    virtual bool uniform() const { return false; }
    /// True for a node that never sends (a source without weight).
    virtual bool silent(std::uint32_t source) const {
        (void)source;
        return false;
    }
    /// Writes or reads the state that destination() changes (docs/checkpoint.md), if there is any.
    virtual void serialize(archive& a) { (void)a; }
};

/// The surroundings that a pattern is made in.
struct pattern_context {
    std::uint32_t nodes = 0;
    std::vector<std::uint32_t> dims;  ///< grid of the nodes, dimension 0 fastest; product = nodes
    std::uint64_t seed = 1;
    std::string folder;                  ///< folder of files that the section names
    const place_names* names = nullptr;  ///< names of nodes; null: they have none
};

using pattern_registry = config::registry<pattern, const pattern_context&>;

/// Returns a node other than `source`, uniformly drawn. `nodes`: number of nodes, at least 2.
inline std::uint32_t other_node_of(std::uint32_t source, std::uint32_t nodes, rng& random) {
    const std::uint32_t d = random.below(nodes - 1);
    return d + (d >= source ? 1 : 0);
}
/// Returns other_node_of(); the only node sends to itself.
inline std::uint32_t other_node(std::uint32_t source, std::uint32_t nodes, rng& random) {
    return nodes == 1 ? 0 : other_node_of(source, nodes, random);
}

/// Adds the probabilities of other_node(), times `part`.
void add_others(std::uint32_t source, double part, std::vector<double>& to);

/// A pattern that is a table: source to destination, the same every time.
class permutation : public pattern {
  public:
    explicit permutation(std::vector<std::uint32_t> table) : m_table(std::move(table)) {}
    std::uint32_t destination(std::uint32_t source, rng&) override { return m_table[source]; }
    std::uint32_t of(std::uint32_t source) const { return m_table[source]; }
    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        to[m_table[source]] += 1;
        return true;
    }

  private:
    std::vector<std::uint32_t> m_table;
};

/// Makes the table of a permutation from `map(source)`.
template <class Map>
permutation* tabulate(std::uint32_t nodes, Map map) {
    std::vector<std::uint32_t> table(nodes);
    for (std::uint32_t s = 0; s < nodes; ++s) table[s] = map(s);
    return new permutation(std::move(table));
}

/// Returns the node whose coordinate in dimension i is map(i, coordinate of `node`, size).
template <class Map>
std::uint32_t map_coordinates(const std::vector<std::uint32_t>& dims, std::uint32_t node, Map map) {
    std::uint32_t result = 0, stride = 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        result += map(i, node % dims[i], dims[i]) * stride;
        node /= dims[i];
        stride *= dims[i];
    }
    return result;
}

/// Returns the number of bits of a node's number. Throws config::error, placed at `section`, if the number of
/// nodes is no power of two. `name`: name of the pattern in the message.
unsigned id_bits(const config::value& section, const std::string& name, std::uint32_t nodes);

/// Returns the text of a file, relative to `folder`. Throws config::error at `at` if it cannot be read.
std::string read_text(const config::location& at, const std::string& folder, const std::string& file);
/// Returns `file` relative to `folder`, or as it is if absolute or `folder` is empty.
std::string file_path(const std::string& folder, const std::string& file);

}  // namespace sare::traffic

namespace sare {
// In pattern.cpp, for all files that register one.
extern template class config::registry<traffic::pattern, const traffic::pattern_context&>;
}  // namespace sare
