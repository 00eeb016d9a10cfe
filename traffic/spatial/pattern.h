// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <cstdint>
#include <string>
#include <vector>

/// Spatial patterns choose the destinations of messages; they are independent of when messages are sent.
namespace sare {
class archive;
class place_names;
}  // namespace sare

namespace sare::traffic {

/// A pattern: chooses the destination of each message, given its source.
class pattern {
  public:
    virtual ~pattern() = default;
    /// Returns the destination of the next message of `source`; it may be `source` itself. `random`: the
    /// random stream of this node alone, so that draws do not depend on other nodes. Called once for each
    /// message, so it should not allocate memory.
    virtual std::uint32_t destination(std::uint32_t source, rng& random) = 0;
    /// Adds to to[d], for each node d, the probability that destination() of a message of `source` is d, as a
    /// mean over many messages; returns false, and adds nothing, if these probabilities are not known. The
    /// result for a silent() source has no meaning.
    virtual bool shares(std::uint32_t source, std::vector<double>& to) const {
        (void)source, (void)to;
        return false;
    }
    /// Returns true if destination() does the same as other_node(), so that a source may call that instead,
    /// which is faster.
    virtual bool uniform() const { return false; }
    /// Returns true for a node that never sends (one without weight in the pattern); destination() must not
    /// be called for it (not checked).
    virtual bool silent(std::uint32_t source) const {
        (void)source;
        return false;
    }
    /// Writes or reads the state that destination() changes, for checkpoints (docs/checkpoint.md); a pattern
    /// without state does nothing.
    virtual void serialize(archive& a) { (void)a; }
};

/// Context in which pattern_registry makes a pattern, besides the pattern's own section.
struct pattern_context {
    /// Number of nodes.
    std::uint32_t nodes = 0;
    std::vector<std::uint32_t> dims;  ///< lengths of the grid of the nodes, dimension 0 varying fastest;
                                      ///< their product is `nodes`
    /// Seed of the run.
    std::uint64_t seed = 1;
    std::string folder;                  ///< folder to which names of files in the section are relative
    const place_names* names = nullptr;  ///< names of nodes; null: nodes have only numbers
};

/// The registry of patterns by name.
using pattern_registry = config::registry<pattern, const pattern_context&>;

/// Returns a random node other than `source`, each with the same probability. `nodes`: number of nodes, at
/// least 2 (not checked).
inline std::uint32_t other_node_of(std::uint32_t source, std::uint32_t nodes, rng& random) {
    const std::uint32_t d = random.below(nodes - 1);
    return d + (d >= source ? 1 : 0);
}
/// Returns a random node other than `source`, as other_node_of() does, or 0 if there is only one node.
inline std::uint32_t other_node(std::uint32_t source, std::uint32_t nodes, rng& random) {
    return nodes == 1 ? 0 : other_node_of(source, nodes, random);
}

/// Adds to to[d], for each node d, `part` times the probability that other_node() returns d for `source`.
/// `to` has an element for each node, at least one.
void add_others(std::uint32_t source, double part, std::vector<double>& to);

/// A pattern by which each source always sends to the same destination.
class permutation : public pattern {
  public:
    /// `table`: destination by source, for all nodes (not checked).
    explicit permutation(std::vector<std::uint32_t> table) : m_table(std::move(table)) {}
    std::uint32_t destination(std::uint32_t source, rng&) override { return m_table[source]; }
    /// Returns the destination of a source.
    std::uint32_t of(std::uint32_t source) const { return m_table[source]; }
    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        to[m_table[source]] += 1;
        return true;
    }

  private:
    std::vector<std::uint32_t> m_table;
};

/// Returns a new permutation of `nodes` nodes, owned by the caller, in which the destination of node s is
/// map(s). (Factories of registries return bare pointers.)
template <class Map>
permutation* tabulate(std::uint32_t nodes, Map map) {
    std::vector<std::uint32_t> table(nodes);
    for (std::uint32_t s = 0; s < nodes; ++s) table[s] = map(s);
    return new permutation(std::move(table));
}

/// Returns the node of the grid `dims` whose coordinate in each dimension i is map(i, coordinate of `node`,
/// dims[i]). Dimension 0 varies fastest.
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

/// Returns the number of bits of a node's number: log2 of `nodes`. Throws config::error at `section` if
/// `nodes` is 1 or no power of two. `name`: name of the pattern in the message.
unsigned id_bits(const config::value& section, const std::string& name, std::uint32_t nodes);

/// Returns the contents of the file `file`, whose name may be relative to `folder`. Throws config::error at
/// `at` if it cannot be read.
std::string read_text(const config::location& at, const std::string& folder, const std::string& file);
/// Returns the path of `file`: "folder/file" if `file` does not begin with "/" and `folder` is not empty,
/// else `file` as it is.
std::string file_path(const std::string& folder, const std::string& file);

}  // namespace sare::traffic

namespace sare {
// In pattern.cpp, for all files that register one.
extern template class config::registry<traffic::pattern, const traffic::pattern_context&>;
}  // namespace sare
