// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/builder/density.h"

#include "tlm/fabric/network_state.h"
#include "tlm/router_api/pipelined_model.h"
#include "tlm/routing/first_way.h"

#include <algorithm>

namespace sare {
namespace {

/// Returns the number of routers on the way of a packet; 0: no packet goes there.
std::uint32_t routers_between(const topology& map, const routing_function& routing, std::uint32_t source,
                              std::uint32_t destination) {
    route_header plain;
    plain.source = source;
    plain.destination = destination;
    std::vector<route_header> headers;
    routing.every_header(plain, headers);
    if (headers.empty()) return 0;
    std::uint32_t routers = 1;
    follow_first_way(map, routing, headers.front(), [&](std::uint32_t, std::uint32_t) { ++routers; });
    return routers;
}

/// Returns the mean of routers_between() over some pairs that are spread over the network; 0: none of them
/// has packets.
double mean_routers_between(const topology& map, const routing_function& routing) {
    constexpr std::uint64_t pairs = 256, golden = 0x9e3779b1;  // of 2^32: its multiples are spread evenly
    std::uint64_t sum = 0, ways = 0;
    for (std::uint64_t k = 0; k < pairs; ++k) {
        const auto source = static_cast<std::uint32_t>(k * map.nodes() / pairs),
                   destination = static_cast<std::uint32_t>((k * golden % (1ull << 32)) * map.nodes() >> 32);
        const std::uint32_t routers = routers_between(map, routing, source, destination);
        sum += routers;
        ways += routers != 0 ? 1 : 0;
    }
    return ways == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(ways);
}

}  // namespace

bool all_foresee(const network_state& net) {
    const auto foresees = [](const auto& model) {
        const auto* its = dynamic_cast<const pipelined_model*>(model.get());
        return its != nullptr && its->foresees_from_lists();
    };
    const auto& models = net.table.models;
    return net.routing() != nullptr && net.routing()->max_candidates() == 1 &&
           std::all_of(models.begin(), models.end(), foresees);
}

bool is_dense(const network_state& net, double load) {
    constexpr double busy = 0.75;  // flits that leave a router in a cycle
    const topology* const map = net.map();
    const routing_function* const routing = net.routing();
    if (load <= 0 || map == nullptr || !net.modes.compact_allowed) return false;
    if (net.scale() == network_scale::small && net.routes().exists()) return false;
    if (net.scale() == network_scale::huge) return false;
    if (map->routers() != net.routers() || map->nodes() != net.nodes() || !all_foresee(net)) return false;
    return load * map->nodes() * mean_routers_between(*map, *routing) >= busy * map->routers();
}

}  // namespace sare
