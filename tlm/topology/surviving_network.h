// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace sare {

/// A network of which some links and routers have failed. Routers, ports and nodes keep their numbers; ports
/// of failed links lead nowhere. A caller that marks a router as failed must mark all its links, too.
class surviving_network final : public topology {
  public:
    /// Begins without failures. `map`: the whole network, which must outlive this object.
    explicit surviving_network(const topology& map);

    /// Marks the link that begins at an output port as failed, in this direction only; does nothing if it
    /// leads to no router, or has failed already. Numbers of routers and ports are not checked.
    void fail(std::uint32_t router, std::uint32_t port);
    /// Marks a router as failed, so that its nodes are cut off in reaches(); its links stay as they are.
    void fail_router(std::uint32_t router) { m_dead_router[router] = true; }
    /// Finds the parts of the network whose routers reach each other. All links must have two directions, of
    /// which both have failed or none. Call after all fail() and fail_router(), and before reaches().
    void find_parts();

    /// True if the link that begins at an output port has failed.
    bool is_dead(std::uint32_t router, std::uint32_t port) const {
        return m_dead[m_first_port[router] + port];
    }
    /// True if the router has failed.
    bool is_dead(std::uint32_t router) const { return m_dead_router[router]; }
    /// Returns true if a path leads from one node to another, as of the last find_parts(): the routers of
    /// both work and are in one part. Undefined before the first find_parts().
    bool reaches(std::uint32_t from_node, std::uint32_t to_node) const;

    std::string name() const override { return m_map.name(); }
    std::uint32_t nodes() const override { return m_map.nodes(); }
    std::uint32_t terminals() const override { return m_map.terminals(); }
    std::uint32_t routers() const override { return m_map.routers(); }
    std::uint32_t ports(router_id r) const override { return m_map.ports(r); }
    clock_ratio clock(router_id r) const override { return m_map.clock(r); }
    const clock_region* region(router_id r) const override { return m_map.region(r); }
    const clock_region* region(node_id n) const override { return m_map.region(n); }
    port_peer peer(router_id r, port_id p) const override {
        return is_dead(r.value, p.value) ? port_peer{} : m_map.peer(r, p);
    }
    port_peer source(router_id r, port_id p) const override;
    link_attributes link(router_id r, port_id p) const override { return m_map.link(r, p); }
    link_attributes injection_link(node_id n) const override { return m_map.injection_link(n); }
    router_id router_of(node_id n) const override { return m_map.router_of(n); }
    port_id port_of(node_id n) const override { return m_map.port_of(n); }
    router_port ejection_of(node_id n) const override { return m_map.ejection_of(n); }

  private:
    const topology& m_map;                  ///< the whole network
    std::vector<std::size_t> m_first_port;  ///< index in m_dead of port 0 of each router
    std::vector<bool> m_dead;               ///< true: the link that begins at the port has failed
    std::vector<bool> m_dead_router;        ///< true: the router has failed
    /// Number of the part of each router; routers of one part reach each other.
    std::vector<std::uint32_t> m_part;
};

}  // namespace sare
