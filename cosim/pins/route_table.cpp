// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/route_table.h"

#include "tlm/routing/multicast/multicast_routing.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <optional>

namespace sare::cosim {

namespace {

/// Returns a header to a destination of the table.
route_header header_to(std::uint32_t destination, std::uint32_t nodes) {
    route_header h;
    h.destination = destination;
    if (destination < nodes) return h;
    h.source = h.destination = destination - nodes;
    h.phase = forking_routing::to_all;
    return h;
}

/// Adds the entry of a packet that forks.
void add_branches(route_table& table, const route_set& found) {
    route_candidate all{0, false, ~vc_mask{0}};
    std::uint32_t ports = 0;
    for (std::uint32_t k = 0; k < found.size; ++k) {
        ports |= 1u << found.candidates[k].port;
        all.vcs &= found.candidates[k].vcs;
    }
    table.candidates.push_back(all);
    table.branches.push_back(ports);
}

}  // namespace

route_table table_of(const routing_context& at, std::uint32_t destinations, bool ahead) {
    route_table table;
    const std::uint32_t ports = at.map().ports(router_id(at.router()));
    for (std::uint32_t n = 0; n < destinations; ++n) {
        const route_header h = header_to(n, at.map().nodes());
        if (at.forks()) {
            route_set found;
            at.routes(h, {}, found);
            if (found.fork) {
                add_branches(table, found);
                continue;
            }
        }
        std::optional<std::uint32_t> first;
        route_candidate next{};
        for (std::uint32_t in = 0; in < ports; ++in) {
            if (!at.comes(in, n)) continue;
            const route_candidate now = ahead ? at.ahead(h, {in, 0}) : at.here(h, {in, 0});
            if (first && now.port != next.port && table.conflict.empty())
                table.conflict = fmt::format(
                    "router {} sends packets to node {} on by port {} or {}, as they come in by port {} or "
                    "{}",
                    at.router(), n, next.port, now.port, *first, in);
            if (!first) next = now;
            if (!first) first = in;
        }
        table.candidates.push_back(next);
        table.branches.push_back(1u << next.port);
    }
    return table;
}

}  // namespace sare::cosim
