// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/marking.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

/// Returns the shortest queue of all candidates: that of an adaptive packet's way out.
std::uint32_t queue_of(const route_set& ways, const congestion_view& here) {
    std::uint32_t least = ~0U;
    for (std::uint32_t k = 0; k < ways.size; ++k)
        least = std::min(least, here.queue(ways.candidates[k].port));
    return ways.size == 0 ? 0 : least;
}

}  // namespace

config::schema<marking_params> marking_params::fields() {
    using p = marking_params;
    config::schema<p> s;
    s.number("kmin", &p::kmin, 0, 1e9, "flits",
             "A packet that asks for an output with a shorter queue is not marked. The queue is what waits "
             "for the output in the router, and what is in the buffers behind it.")
        .number("kmax", &p::kmax, 0, 1e9, "flits",
                "A packet that finds so many flits or more is marked; 0: routers mark nothing.")
        .number("pmax", &p::pmax, 0, 1, "",
                "Share of the packets that are marked just below kmax; from kmin it grows linearly to that.");
    return s;
}

void marking_params::check(const config::location& at) const {
    if (kmin > kmax)
        throw config::error(
            at,
            fmt::format(
                "'marking.kmin' is {}, and 'kmax' is {}; marking begins with kmin flits, and kmax is no less",
                kmin, kmax));
}

void marking_routing::route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                                   const congestion_view& here, route_set& out) const {
    constexpr std::uint64_t own_stream = std::uint64_t{1} << 61;
    if (m_inner.looks_at_congestion())
        m_inner.route_seeing(r, in, in_vc, h, here, out);
    else
        m_inner.route(r, in, in_vc, h, out);
    out.repeats = 0;  // the next router has queues of its own
    const double share = h.marked ? 1 : m_params.probability(queue_of(out, here) + here.held(in, in_vc));
    if (share == 0) return;
    const std::uint64_t place = own_stream | std::uint64_t{r} << 24 | std::uint64_t{in} << 8 | in_vc;
    h.marked = share >= 1 || rng(here.now(), stream::routing, place).bernoulli(share);
}

}  // namespace sare
