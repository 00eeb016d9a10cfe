// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/routing_context.h"

#include "tlm/base/bits.h"

namespace sare::cosim {

/// The VC on which a packet comes to the next router is not known here: it is the first of those allowed.
route_candidate network_surroundings::ahead(const route_header& h, const way_in& in) const {
    const route_candidate way = here(h, in);
    const port_peer to = m_map.peer(router_id(m_router), port_id(way.port));
    if (to.what != port_peer::kind::router) return way;
    return at(to.id, h, {to.port, static_cast<std::uint32_t>(h.vc_base + lowest(std::uint32_t{way.vcs}))});
}

/// What leads to the same port is one way, whatever the rank of its VCs.
route_candidate network_surroundings::at(std::uint32_t router, route_header h, const way_in& in) const {
    route_set ways;
    m_routing.route(router, in.port, in.vc, h, ways);
    route_candidate all = ways.candidates[0];
    for (std::uint32_t k = 1; k < ways.size; ++k)
        if (ways.candidates[k].port == all.port) all.vcs |= ways.candidates[k].vcs;
    return all;
}

}  // namespace sare::cosim
