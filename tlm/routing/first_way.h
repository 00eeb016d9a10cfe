// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"
#include "tlm/topology/topology.h"

namespace sare {

/// Calls f(router, output port) for each link between routers on the route of a packet with `header`, from
/// its source to its destination, with the first candidate of each router. `header`: as begin() left it.
/// The input VC given to route() is always 0. Ends early at a router without a candidate, and after one link
/// more than there are routers.
template <class F>
void follow_first_way(const topology& map, const routing_function& routing, route_header header, const F& f) {
    const node_id source(header.source);
    std::uint32_t router = map.router_of(source).value, in = map.port_of(source).value;
    for (std::uint32_t hops = 0; hops <= map.routers(); ++hops) {
        route_set ways;
        routing.route(router, in, 0, header, ways);
        if (ways.size == 0) return;
        const std::uint32_t way = ways.candidates[0].port;
        const port_peer to = map.peer(router_id(router), port_id(way));
        if (to.what != port_peer::kind::router) return;
        f(router, way);
        router = to.id;
        in = to.port;
    }
}

}  // namespace sare
