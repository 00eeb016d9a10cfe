// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/turn_model.h"

namespace sare {

turn_model::turn_model(const std::string& name, std::uint64_t first, const config::value& section,
                       const routing_context& context)
    : grid_routing(name, context, section, {}), m_first(first) {
    need_mesh(section);
    check_vcs(section, context, name, {1, "packets travel on it"});
}

void turn_model::add_hops(const std::uint16_t* c, const std::uint16_t* t, std::uint64_t directions,
                          route_set& out) const {
    for (std::uint32_t d = 0; d < dimensions(); ++d) {
        const std::uint32_t negative = t[d] < c[d] ? 1 : 0;
        if (c[d] != t[d] && (directions >> (2 * d + negative) & 1) != 0)
            out.add(dim(d).port + negative, m_vcs.all);
    }
}

void turn_model::route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h, route_set& out) const {
    const node_attachment to = attachment_of(h.destination);
    if (r == to.router) return deliver(to.port, out);
    add_hops(at(r), at(to.router), m_first, out);
    if (out.size == 0) add_hops(at(r), at(to.router), ~m_first, out);
}

}  // namespace sare
