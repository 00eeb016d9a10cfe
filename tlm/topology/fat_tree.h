// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

/// The k-ary n-tree and the thin tree are one class that differs in the number of up ports.
namespace sare {

/// Levels of switches with `down` ports towards the nodes (ports 0 to down - 1) and `up` ports away from them
/// (the following). Level 0 has the nodes: node x is on port x % down of switch x / down. Switch (w, u) of
/// level i is reached from the nodes x with x / down^(i+1) = w; its number in the level is w * up^i + u, and
/// level after level they make the router numbers. Up port p leads to switch (w / down, p * up^i + u) of the
/// next level, which it enters by down port w % down. The top level's up ports are unplugged.
struct tree_shape : network_shape {
    std::uint32_t down = 2, up = 2, levels = 1;
};

class fat_tree final : public topology {
  public:
    /// Throws config::error, placed by `section`, for sizes that cannot be built.
    fat_tree(std::string name, const tree_shape& shape, const link_parameters& links,
             const config::value& section);

    std::string name() const override { return m_name; }
    std::uint32_t nodes() const override { return m_nodes; }
    std::uint32_t routers() const override { return m_levels.back().first + m_levels.back().alike; }
    std::uint32_t ports(router_id) const override { return m_shape.down + m_shape.up; }
    port_peer peer(router_id r, port_id p) const override;
    link_attributes link(router_id r, port_id p) const override {
        return to_node(r, p) ? m_links.node_link() : m_links.link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(n.value / m_shape.down); }
    port_id port_of(node_id n) const override { return port_id(n.value % m_shape.down); }
    const network_shape* shape() const override { return &m_shape; }
    closed_forms known() const override;
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), m_nodes}};
    }

  private:
    struct level {
        std::uint32_t first = 0;  ///< router
        std::uint32_t alike = 1;  ///< switches of the same w: up^i
    };
    bool to_node(router_id r, port_id p) const {
        return r.value < m_nodes / m_shape.down && p.value < m_shape.down;
    }
    std::uint32_t level_of(std::uint32_t r) const;

    std::string m_name;
    tree_shape m_shape;
    link_parameters m_links;
    std::uint32_t m_nodes = 1;
    std::vector<level> m_levels;
};

/// Bounds of the parameters of both.
constexpr std::uint32_t most_tree_ports = 63;
constexpr std::uint32_t most_tree_levels = 24;

}  // namespace sare
