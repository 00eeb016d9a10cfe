// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_ugal.h"

#include "tlm/base/sets.h"

namespace sare {
namespace {

/// Returns the flits on some VCs, of the packet's message class, behind an output port.
std::uint32_t used(std::uint32_t port, vc_mask vcs, const route_header& h, const congestion_view& here) {
    std::uint32_t all = 0;
    for (const std::uint64_t v : members(vcs))
        all += here.used(port, h.vc_base + static_cast<std::uint32_t>(v));
    return all;
}

}  // namespace

config::schema<ugal_parameters> ugal_parameters::fields() {
    config::schema<ugal_parameters> all;
    all.number("threshold", &ugal_parameters::threshold, -65535, 65535, "flits x hops",
               "the minimal way is taken up to so much more queue times hops than the other has");
    return all;
}

void dragonfly_ugal::route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                                  const congestion_view& here, route_set& out) const {
    const bool open = h.state != 0 && path_of(h.state).via == none && path_of(h.via).via != none;
    if (open && may_turn(r, in, h) && prefers_detour(r, h, here)) h.state = static_cast<std::uint16_t>(h.via);
    route(r, in, in_vc, h, out);
}

dragonfly_ugal::queues dragonfly_ugal::look(std::uint32_t r, const global_port& minimal,
                                            const global_port& detour, const route_header& h,
                                            const congestion_view& here) const {
    const std::uint32_t one = first_port(r, minimal), other = first_port(r, detour);
    if (one != other) return {here.queue(one), here.queue(other)};
    return {used(one, minimal_vcs(), h, here), used(other, detour_vcs(), h, here)};
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
