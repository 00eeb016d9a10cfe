// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/arrivals.h"
#include "cosim/pins/pin_router.h"

#include <memory>

namespace sare::cosim {

/// The place of a router in its network: its number, and the routes of packets at it.
class routing_context {
  public:
    virtual ~routing_context() = default;
    virtual const topology& map() const = 0;   ///< the topology of the network
    virtual std::uint32_t router() const = 0;  ///< number of the router in the topology
    /// Returns output port and VCs at this router for a head with header `h` that arrives on `in`; the first
    /// port if routing offers several. VCs are a mask whose bit 0 is the first VC of the message class.
    virtual route_candidate here(const route_header& h, const input_channel& in) const = 0;
    /// Adds output port and VCs at this router for a head with header `h` that arrives on `in` to `out`. If
    /// packets may fork, adds those of all branches of the packet, of which there may be none.
    virtual void routes(const route_header& h, const input_channel& in, route_set& out) const {
        out.candidates[out.size++] = here(h, in);
    }
    /// Returns true if packets may fork, that is, leave by several output ports as copies (multicast).
    virtual bool forks() const { return false; }
    /// Returns output port and VCs at the router to which here() leads (look-ahead), for a head that arrives
    /// there on the first VC that here() allows. If here() leads to no router, returns its result.
    virtual route_candidate ahead(const route_header& h, const input_channel& in) const = 0;
    /// Returns true if packets to node `destination` may come in by input port `in`; true if that is not
    /// known.
    virtual bool comes(std::uint32_t in, std::uint32_t destination) const {
        (void)in, (void)destination;
        return true;
    }
};

/// The routing_context of a router in a network with deterministic routing.
class network_routing_context : public routing_context {
  public:
    /// `router`: number of the router in `map`. `who`: the input ports by which packets arrive at all
    /// routers; null if the routing function does not depend on the input port, and any port is possible.
    /// `map` and `routing` must outlive the object.
    network_routing_context(const topology& map, const routing_function& routing, std::uint32_t router,
                            std::shared_ptr<const arrivals> who = nullptr)
        : m_map(map), m_routing(routing), m_router(router), m_arrivals(std::move(who)) {}

    const topology& map() const override { return m_map; }
    std::uint32_t router() const override { return m_router; }
    route_candidate here(const route_header& h, const input_channel& in) const override {
        return at(m_router, h, in);
    }
    void routes(const route_header& h, const input_channel& in, route_set& out) const override;
    bool forks() const override { return m_routing.forks(); }
    route_candidate ahead(const route_header& h, const input_channel& in) const override;
    bool comes(std::uint32_t in, std::uint32_t destination) const override {
        return m_arrivals == nullptr || m_arrivals->has(m_router, in, destination);
    }

  private:
    route_candidate at(std::uint32_t router, route_header h, const input_channel& in) const;

    const topology& m_map;
    const routing_function& m_routing;
    std::uint32_t m_router;
    std::shared_ptr<const arrivals> m_arrivals;
};

/// The routing_context of the NIC between a node and its router: the routes at that router, for packets that
/// come in by the port of node `node`.
class node_routing_context final : public network_routing_context {
  public:
    node_routing_context(const topology& map, const routing_function& routing, std::uint32_t node)
        : network_routing_context(map, routing, map.router_of(node_id(node)).value),
          m_port(map.port_of(node_id(node)).value) {}
    bool comes(std::uint32_t in, std::uint32_t) const override { return in == m_port; }

  private:
    std::uint32_t m_port;
};

}  // namespace sare::cosim
