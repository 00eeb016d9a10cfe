// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/arrivals.h"

namespace sare::cosim {

arrivals::arrivals(const topology& map, const routing_function& routing) : m_nodes(map.nodes()) {
    std::size_t ports = 0;
    for (std::uint32_t r = 0; r < map.routers(); ++r) {
        m_first.push_back(ports);
        ports += map.ports(router_id(r));
    }
    m_has.resize(ports * m_nodes);
    for (std::uint32_t s = 0; s < m_nodes; ++s)
        for (std::uint32_t d = 0; d < m_nodes; ++d) follow(map, routing, s, d);
}

/// Follows a packet up to its node, or up to a port by which another packet to that node has come before.
void arrivals::follow(const topology& map, const routing_function& routing, std::uint32_t source,
                      std::uint32_t destination) {
    port_peer at{port_peer::kind::router, map.router_of(node_id(source)).value,
                 map.port_of(node_id(source)).value};
    route_header h;
    h.source = source;
    h.destination = destination;
    while (at.what == port_peer::kind::router && !has(at.id, at.port, destination)) {
        m_has[index(at.id, at.port, destination)] = true;
        route_set found;
        routing.route(at.id, at.port, 0, h, found);
        at = map.peer(router_id(at.id), port_id(found.candidates[0].port));
    }
}

}  // namespace sare::cosim
