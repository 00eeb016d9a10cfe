// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/partition_map.h"

#include "tlm/fabric/parts/cut.h"

#include <functional>
#include <numeric>

namespace sare {
namespace {

using kind = link_end::kind;

/// Sizes of dimensions; none where routers have no coordinates.
std::vector<std::uint32_t> dims_of(const topology* map, std::uint32_t routers) {
    const coordinate_shape* const shape = map == nullptr ? nullptr : map->coordinates();
    if (shape == nullptr) return {};
    const auto all =
        std::accumulate(shape->dims.begin(), shape->dims.end(), std::uint64_t{1}, std::multiplies<>());
    return all == routers ? shape->dims : std::vector<std::uint32_t>();
}

/// Of those that are balanced the one with the fewest crossing links; slabs, if no other has fewer.
router_parts best_cut(const router_graph& g, const topology* map, std::uint32_t parts) {
    const router_parts slabs = slab_cut(g, parts);
    if (parts > g.routers()) return slabs;
    const std::vector<std::uint32_t> dims = dims_of(map, g.routers());
    std::vector<router_parts> others;
    if (dims.empty() || map->grid() == nullptr) others = metis_cuts(g, parts);
    if (!dims.empty()) {
        others.push_back(block_cut(g, dims, parts));
        for (router_parts& cut : regular_cuts(dims, parts)) others.push_back(std::move(cut));
    }
    router_parts best = slabs;
    std::uint64_t fewest = crossing_links(g, best);
    for (router_parts& cut : others) {
        if (!is_balanced(g, cut, slabs, parts)) continue;
        const std::uint64_t crossing = crossing_links(g, cut);
        if (crossing < fewest) fewest = crossing, best = std::move(cut);
    }
    return best;
}

partition_map with_nodes(const router_graph& g, router_parts of_router) {
    partition_map all{std::move(of_router), std::vector<std::uint16_t>(g.host.size(), 0)};
    for (std::uint32_t n = 0; n < g.host.size(); ++n)
        if (g.host[n] != router_graph::nowhere) all.of_node[n] = all.of_router[g.host[n]];
    return all;
}

}  // namespace

partition_map cut_network(const std::vector<connection>& links, const std::vector<std::uint32_t>& ports,
                          std::uint32_t nodes, std::uint32_t parts, const topology* map) {
    if (parts == 1) return {router_parts(ports.size(), 0), router_parts(nodes, 0)};
    router_graph g;
    g.ports = ports;
    g.host.assign(nodes, router_graph::nowhere);
    for (const connection& c : links)
        if (c.from.what == kind::nic && c.receiver().what == kind::router)
            g.host[c.from.id] = c.receiver().id;
    find_neighbours(g, [&](const auto& f) {
        for (const connection& c : links) f(c.from, c.receiver());
    });
    return with_nodes(g, best_cut(g, map, parts));
}

std::uint64_t digest(const partition_map& all) {
    std::uint64_t sum = 0xcbf29ce484222325;  // FNV-1a
    for (const auto* parts : {&all.of_router, &all.of_node})
        for (const std::uint16_t part : *parts) sum = (sum ^ part) * 0x100000001b3;
    return sum;
}

partition_map cut_map(const topology& map, std::uint32_t parts) {
    if (parts == 1) return {router_parts(map.routers(), 0), router_parts(map.nodes(), 0)};
    router_graph g;
    for (std::uint32_t r = 0; r < map.routers(); ++r) g.ports.push_back(map.ports(router_id(r)));
    for (std::uint32_t n = 0; n < map.nodes(); ++n) g.host.push_back(map.router_of(node_id(n)).value);
    find_neighbours(g, [&](const auto& f) { for_each_link(map, f); });
    return with_nodes(g, best_cut(g, &map, parts));
}

}  // namespace sare
