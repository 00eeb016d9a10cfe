// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/routing_context.h"

#include "tlm/base/bits.h"

namespace sare::cosim {

/// Assumes that the packet arrives at the next router on the first VC allowed, as the VC is not known here.
route_candidate network_routing_context::ahead(const route_header& h, const input_channel& in) const {
    const route_candidate next = here(h, in);
    const port_peer to = m_map.peer(router_id(m_router), port_id(next.port));
    if (to.what != port_peer::kind::router) return next;
    return at(to.id, h, {to.port, static_cast<std::uint32_t>(h.vc_base + lowest(next.vcs))});
}

void network_routing_context::routes(const route_header& h, const input_channel& in, route_set& out) const {
    if (!forks()) return routing_context::routes(h, in, out);
    route_header its = h;
    m_routing.route(m_router, in.port, in.vc, its, out);
}

/// Returns the first candidate, with the VCs of all candidates for the same port.
route_candidate network_routing_context::at(std::uint32_t router, route_header h,
                                            const input_channel& in) const {
    route_set found;
    m_routing.route(router, in.port, in.vc, h, found);
    route_candidate all = found.candidates[0];
    for (std::uint32_t k = 1; k < found.size; ++k)
        if (found.candidates[k].port == all.port) all.vcs |= found.candidates[k].vcs;
    return all;
}

}  // namespace sare::cosim
