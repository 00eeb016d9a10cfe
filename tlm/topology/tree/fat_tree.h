// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

/// Trees: the k-ary n-tree, the thin tree, the plain tree and the generalised fat tree are one class; the
/// numbers of ports differ (S. Öhring et al., "On Generalized Fat Trees", IPPS 1995).
namespace sare {

/// Levels of switches, for the routing functions of trees. A switch of level i has `down[i]` ports towards
/// the nodes (ports 0 to down[i] - 1) and `up[i]` ports away from the nodes (ports down[i] and following).
/// Level 0 has the nodes: node x is at port x % down[0] of switch x / down[0].
///
/// Switch (w, u) of level i is reached from the nodes x with x / (down[0] * ... * down[i]) = w; its number in
/// the level is w * alike + u, where alike = up[0] * ... * up[i - 1] switches share w. Routers are numbered
/// level by level. Up port p leads to switch (w / down[i + 1], p * alike + u) of the next level, which it
/// enters by down port w % down[i + 1]. Up ports of the top level lead nowhere.
struct tree_shape : network_shape {
    std::vector<std::uint32_t> down, up;  ///< number of down ports, and of up ports, of a switch, by level
    /// Number of levels.
    std::uint32_t levels() const { return static_cast<std::uint32_t>(down.size()); }
};

/// Returns a tree of `levels` levels whose switches all have `down` down ports and `up` up ports.
tree_shape even_tree(std::uint32_t down, std::uint32_t up, std::uint32_t levels);

/// Texts and places for errors about trees that are too large.
struct tree_words {
    /// Place of the parameter that sets the ports of a switch; place of the parameter that sets the size of
    /// the tree.
    config::location ports_at, size_at;
    /// Texts on the values of the two parameters, such as "'k' is 33" and "'n' is 9".
    std::string ports, size;
    std::uint32_t most = most_ports;  ///< most ports of a switch
};
/// Returns the texts for `shape`, made by even_tree() from the parameters `k` and `n` of `section`.
tree_words words_of_even_tree(const tree_shape& shape, const config::value& section);

/// A tree of switches; see tree_shape.
class fat_tree final : public topology {
  public:
    /// `name`: name by which the kind is registered. Throws config::error, with `words`, for sizes that
    /// cannot be built.
    fat_tree(std::string name, tree_shape shape, const link_parameters& links, const tree_words& words);

    std::string name() const override { return m_name; }
    std::uint32_t nodes() const override { return m_nodes; }
    std::uint32_t routers() const override { return m_levels.back().first + m_levels.back().alike; }
    std::uint32_t ports(router_id r) const override {
        const std::uint32_t i = level_of(r.value);
        return m_shape.down[i] + m_shape.up[i];
    }
    port_peer peer(router_id r, port_id p) const override;
    link_attributes link(router_id r, port_id p) const override {
        return to_node(r, p) ? m_links.node_link() : m_links.link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(n.value / m_shape.down[0]); }
    port_id port_of(node_id n) const override { return port_id(n.value % m_shape.down[0]); }
    const network_shape* shape() const override { return &m_shape; }
    closed_forms known() const override;
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), m_nodes}};
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override;
    std::unique_ptr<layout> picture() const override;

  private:
    struct level {
        std::uint32_t first = 0;  ///< number of the first router of the level
        std::uint32_t alike = 1;  ///< number of switches with the same w (see tree_shape)
    };
    bool to_node(router_id r, port_id p) const {
        return r.value < m_nodes / m_shape.down[0] && p.value < m_shape.down[0];
    }
    std::uint32_t level_of(std::uint32_t r) const;
    std::optional<std::uint64_t> bisection() const;

    std::string m_name;
    tree_shape m_shape;
    link_parameters m_links;
    std::uint32_t m_nodes = 1;
    std::vector<level> m_levels;
};

/// Largest value of the parameters for numbers of ports.
constexpr std::uint32_t most_tree_ports = most_ports - 1;
constexpr std::uint32_t most_tree_levels = 24;  ///< largest number of levels

}  // namespace sare
