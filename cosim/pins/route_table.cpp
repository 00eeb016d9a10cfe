// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/route_table.h"

#include "tlm/topology/topology.h"

#include <optional>

namespace sare::cosim {

route_table table_of(const routing_context& at, bool ahead) {
    route_table table;
    const std::uint32_t ports = at.map().ports(router_id(at.router()));
    for (std::uint32_t n = 0; n < at.map().nodes(); ++n) {
        route_header h;
        h.destination = n;
        std::optional<std::uint32_t> first;
        route_candidate next{};
        for (std::uint32_t in = 0; in < ports; ++in) {
            if (!at.comes(in, n)) continue;
            const route_candidate now = ahead ? at.ahead(h, {in, 0}) : at.here(h, {in, 0});
            if (first && now.port != next.port && table.conflict.empty())
                table.conflict = "router " + std::to_string(at.router()) + " sends packets to node " +
                                 std::to_string(n) + " on by port " + std::to_string(next.port) + " or " +
                                 std::to_string(now.port) + ", as they come in by port " +
                                 std::to_string(*first) + " or " + std::to_string(in);
            if (!first) next = now;
            if (!first) first = in;
        }
        table.candidates.push_back(next);
    }
    return table;
}

}  // namespace sare::cosim
