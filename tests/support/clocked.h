// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>
#include <functional>
#include <memory>

namespace sare::test {

/// Another topology's, with a clock for each router; a link has that of its slower end.
class clocked final : public topology {
  public:
    clocked(std::unique_ptr<topology> map, std::function<std::uint32_t(std::uint32_t router)> clock)
        : m_map(std::move(map)), m_clock(std::move(clock)) {}

    std::string name() const override { return m_map->name(); }
    std::uint32_t nodes() const override { return m_map->nodes(); }
    std::uint32_t routers() const override { return m_map->routers(); }
    std::uint32_t ports(router_id r) const override { return m_map->ports(r); }
    std::uint32_t clock(router_id r) const override { return m_clock(r.value); }
    port_peer peer(router_id r, port_id p) const override { return m_map->peer(r, p); }
    port_peer source(router_id r, port_id p) const override { return m_map->source(r, p); }
    link_attributes link(router_id r, port_id p) const override {
        link_attributes a = m_map->link(r, p);
        const port_peer to = peer(r, p);
        a.clock = to.what == port_peer::kind::router ? std::max(clock(r), clock(router_id(to.id))) : clock(r);
        return a;
    }
    link_attributes injection_link(node_id n) const override {
        link_attributes a = m_map->injection_link(n);
        a.clock = clock(router_of(n));
        return a;
    }
    router_id router_of(node_id n) const override { return m_map->router_of(n); }
    port_id port_of(node_id n) const override { return m_map->port_of(n); }
    router_port ejection_of(node_id n) const override { return m_map->ejection_of(n); }
    const network_shape* shape() const override { return m_map->shape(); }

  private:
    std::unique_ptr<topology> m_map;
    std::function<std::uint32_t(std::uint32_t)> m_clock;
};

}  // namespace sare::test
