// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/arrivals.h"
#include "cosim/pins/pin_router.h"

#include <memory>

namespace sare::cosim {

/// What a router must be told of the network that it stands in.
class surroundings {
  public:
    virtual ~surroundings() = default;
    virtual const topology& map() const = 0;
    virtual std::uint32_t router() const = 0;  ///< its number on the map
    /// The way on at this router for a head that has come by `in`; the mask of VCs counts from the first of
    /// the packet's class.
    virtual route_candidate here(const route_header& h, const way_in& in) const = 0;
    /// The way on at the router that `here` leads to; `here` itself where that leads to a node.
    virtual route_candidate ahead(const route_header& h, const way_in& in) const = 0;
    /// False if no packet to that node ever comes in by that port.
    virtual bool comes(std::uint32_t in, std::uint32_t destination) const {
        (void)in, (void)destination;
        return true;
    }
};

/// Of a router in a network with deterministic routing.
class network_surroundings : public surroundings {
  public:
    /// `who`: null where routing does not look at input ports.
    network_surroundings(const topology& map, const routing_function& routing, std::uint32_t router,
                         std::shared_ptr<const arrivals> who = nullptr)
        : m_map(map), m_routing(routing), m_router(router), m_arrivals(std::move(who)) {}

    const topology& map() const override { return m_map; }
    std::uint32_t router() const override { return m_router; }
    route_candidate here(const route_header& h, const way_in& in) const override {
        return at(m_router, h, in);
    }
    route_candidate ahead(const route_header& h, const way_in& in) const override;
    bool comes(std::uint32_t in, std::uint32_t destination) const override {
        return m_arrivals == nullptr || m_arrivals->has(m_router, in, destination);
    }

  private:
    route_candidate at(std::uint32_t router, route_header h, const way_in& in) const;

    const topology& m_map;
    const routing_function& m_routing;
    std::uint32_t m_router;
    std::shared_ptr<const arrivals> m_arrivals;
};

/// The same for what stands between a node and its router.
class node_surroundings final : public network_surroundings {
  public:
    node_surroundings(const topology& map, const routing_function& routing, std::uint32_t node)
        : network_surroundings(map, routing, map.router_of(node_id(node)).value),
          m_port(map.port_of(node_id(node)).value) {}
    bool comes(std::uint32_t in, std::uint32_t) const override { return in == m_port; }

  private:
    std::uint32_t m_port;
};

}  // namespace sare::cosim
