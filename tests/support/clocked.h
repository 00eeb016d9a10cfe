// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/region/wrapped_topology.h"

#include <functional>
#include <memory>

namespace sare::test {

/// Another topology's, with a clock for each router; a link has that of its slower end.
class clocked final : public wrapped_topology {
  public:
    clocked(std::unique_ptr<topology> map, std::function<std::uint32_t(std::uint32_t router)> clock)
        : wrapped_topology(std::move(map)), m_clock(std::move(clock)) {}

    using topology::clock;
    clock_ratio clock(router_id r) const override { return m_clock(r.value); }
    link_attributes link(router_id r, port_id p) const override {
        link_attributes a = wrapped_topology::link(r, p);
        const port_peer to = peer(r, p);
        a.clock = std::max(m_clock(r.value),
                           to.what == port_peer::kind::router ? m_clock(to.id) : m_clock(r.value));
        return a;
    }
    link_attributes injection_link(node_id n) const override {
        link_attributes a = wrapped_topology::injection_link(n);
        a.clock = clock(router_of(n));
        return a;
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        topology::add_path(from, to, sum);
    }

  private:
    std::function<std::uint32_t(std::uint32_t)> m_clock;
};

}  // namespace sare::test
