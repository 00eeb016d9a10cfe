// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly_ugal.h"

namespace sare {

config::schema<ugal_parameters> ugal_parameters::fields() {
    config::schema<ugal_parameters> all;
    all.number("threshold", &ugal_parameters::threshold, -65535, 65535, "flits",
               "the minimal way is taken up to so much more queue times hops than the other has");
    return all;
}

void dragonfly_ugal::route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                                  const congestion_view& here, route_set& out) const {
    const bool first = in >= shape().first_node_port();
    if (first && h.state != 0 && way_of(h.via).via != none &&
        cost(r, h.state, h, here) > cost(r, h.via, h, here) + m_threshold)
        h.state = static_cast<std::uint16_t>(h.via);
    route(r, in, in_vc, h, out);
}

std::int64_t dragonfly_ugal::cost(std::uint32_t r, std::uint32_t state, const route_header& h,
                                  const congestion_view& here) const {
    const way& on = way_of(state);
    const std::uint32_t next = on.via == none ? home(h.destination).group : on.via;
    const global_port& link = link_to(at(r).group, next, on.copy);
    return std::int64_t{queue(r, link, here)} * hops(state, at(r), home(h.destination));
}

}  // namespace sare
