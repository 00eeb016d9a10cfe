// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/adjacency.h"

namespace sare {

adjacency::adjacency(const topology& net, direction way) {
    first.reserve(net.routers() + std::size_t{1});
    first.push_back(0);
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        const std::uint32_t ports = net.ports(router_id(r));
        for (std::uint32_t p = 0; p < ports; ++p) {
            const auto end = way == direction::forward ? net.peer(router_id(r), port_id(p))
                                                       : net.source(router_id(r), port_id(p));
            if (end.what != port_peer::kind::router) continue;
            to.push_back(end.id);
            port.push_back(static_cast<port_number>(p));
        }
        first.push_back(static_cast<std::uint32_t>(to.size()));
    }
}

void breadth_first(const adjacency& graph, std::uint32_t from, std::vector<std::uint32_t>& distance,
                   std::vector<std::uint32_t>& queue) {
    distance.assign(graph.first.size() - 1, unreached);
    queue.clear();
    queue.push_back(from);
    distance[from] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::uint32_t r = queue[head];
        for (std::uint32_t e = graph.first[r]; e < graph.first[r + 1]; ++e) {
            const std::uint32_t q = graph.to[e];
            if (distance[q] != unreached) continue;
            distance[q] = distance[r] + 1;
            queue.push_back(q);
        }
    }
}

port_number port_nearer(const adjacency& forward, const std::vector<std::uint32_t>& distance,
                        std::uint32_t r) {
    std::uint32_t e = forward.first[r];
    while (distance[forward.to[e]] + 1 != distance[r]) ++e;
    return forward.port[e];
}

}  // namespace sare
