// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_ugal.h"

namespace sare {

config::schema<ugal_parameters> ugal_parameters::fields() {
    config::schema<ugal_parameters> all;
    all.number("threshold", &ugal_parameters::threshold, -65535, 65535, "flits x hops",
               "the minimal way is taken up to so much more queue times hops than the other has");
    return all;
}

void dragonfly_ugal::route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                                  const congestion_view& here, route_set& out) const {
    const bool first = in >= shape().first_node_port();
    if (first && h.state != 0 && path_of(h.via).via != none && prefers_detour(r, h, here))
        h.state = static_cast<std::uint16_t>(h.via);
    route(r, in, in_vc, h, out);
}

bool dragonfly_ugal::prefers_detour(std::uint32_t r, const route_header& h,
                                    const congestion_view& here) const {
    const position &from = at(r), &to = home(h.destination);
    const path &minimal = path_of(h.state), &detour = path_of(h.via);
    const queues found = look(r, link_to(from.group, to.group, minimal.copy),
                              link_to(from.group, detour.via, detour.copy), h, here);
    return std::int64_t{found.minimal} * hops(h.state, from, to) >
           std::int64_t{found.detour} * hops(h.via, from, to) + m_threshold;
}

}  // namespace sare
