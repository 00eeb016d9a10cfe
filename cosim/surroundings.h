// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

namespace sare::cosim {

/// What a router must be told of the network that it stands in.
class surroundings {
  public:
    virtual ~surroundings() = default;
    virtual const topology& map() const = 0;
    virtual std::uint32_t router() const = 0;  ///< its number on the map
    /// The way on at this router; the mask of VCs counts from the first of the packet's class.
    virtual route_candidate here(const route_header& h) const = 0;
    /// The way on at the router that `here` leads to; `here` itself where that leads to a node.
    virtual route_candidate ahead(const route_header& h) const = 0;
};

/// Of a router in a network with deterministic routing.
class network_surroundings final : public surroundings {
  public:
    network_surroundings(const topology& map, const routing_function& routing, std::uint32_t router)
        : m_map(map), m_routing(routing), m_router(router) {}

    const topology& map() const override { return m_map; }
    std::uint32_t router() const override { return m_router; }
    route_candidate here(const route_header& h) const override { return at(m_router, h); }
    route_candidate ahead(const route_header& h) const override {
        const route_candidate way = here(h);
        const port_peer to = m_map.peer(router_id(m_router), port_id(way.port));
        return to.what == port_peer::kind::router ? at(to.id, h) : way;
    }

  private:
    route_candidate at(std::uint32_t router, route_header h) const {
        route_set ways;
        m_routing.route(router, 0, 0, h, ways);
        return ways.candidates[0];
    }

    const topology& m_map;
    const routing_function& m_routing;
    std::uint32_t m_router;
};

}  // namespace sare::cosim
