// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/partition_map.h"

#include "tlm/fabric/parts/cut.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sare {
namespace {

using kind = link_end::kind;

/// Sizes of the dimensions of a map; empty if its routers have no coordinates.
std::vector<std::uint32_t> dims_of(const topology* map, std::uint32_t routers) {
    const coordinate_shape* const shape = map == nullptr ? nullptr : map->coordinates();
    if (shape == nullptr) return {};
    const auto all =
        std::accumulate(shape->dims.begin(), shape->dims.end(), std::uint64_t{1}, std::multiplies<>());
    return all == routers ? shape->dims : std::vector<std::uint32_t>();
}

/// Returns the balanced cut with the fewest crossing links; slabs if no other cut has fewer. `dims`: sizes of
/// dimensions; empty if routers have no coordinates.
router_parts best_cut(const router_graph& g, const std::vector<std::uint32_t>& dims, bool is_grid,
                      std::uint32_t parts) {
    const router_parts slabs = slab_cut(g, parts);
    if (parts > g.routers()) return slabs;
    std::vector<router_parts> others;
    if (dims.empty() || !is_grid) others = metis_cuts(g, parts);
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

router_parts best_cut(const router_graph& g, const topology* map, std::uint32_t parts) {
    return best_cut(g, dims_of(map, g.routers()), map != nullptr && map->grid() != nullptr, parts);
}

/// Sizes of the box that some routers, in ascending order, fill in a grid of sizes `dims`; empty if they fill
/// no box.
std::vector<std::uint32_t> box_of(const std::vector<std::uint32_t>& routers,
                                  const std::vector<std::uint32_t>& dims) {
    std::vector<std::uint32_t> sizes;
    std::uint64_t all = 1, stride = 1;
    for (const std::uint32_t size : dims) {
        const auto coordinate = [&](std::uint32_t r) { return r / stride % size; };
        const auto [low, high] = std::minmax_element(
            routers.begin(), routers.end(),
            [&](std::uint32_t a, std::uint32_t b) { return coordinate(a) < coordinate(b); });
        sizes.push_back(static_cast<std::uint32_t>(coordinate(*high) - coordinate(*low) + 1));
        all *= sizes.back();
        stride *= size;
    }
    return all == routers.size() ? sizes : std::vector<std::uint32_t>();
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

partition_map cut_again(const partition_map& all, std::uint32_t own, const std::vector<connection>& links,
                        const std::vector<std::uint32_t>& ports, std::uint32_t parts, const topology* map) {
    partition_map again{router_parts(ports.size(), 0), std::vector<std::uint16_t>(all.of_node.size(), 0)};
    if (parts == 1) return again;
    std::vector<std::uint32_t> routers, number(ports.size(), router_graph::nowhere);
    router_graph g;
    for (std::uint32_t r = 0; r < ports.size(); ++r) {
        if (all.of_router[r] != own) continue;
        number[r] = g.routers();
        routers.push_back(r);
        g.ports.push_back(ports[r]);
    }
    const auto of_here = [&](link_end e) {
        if (e.what != kind::router) return e;
        return number[e.id] == router_graph::nowhere ? link_end{kind::foreign, 0, 0}
                                                     : link_end{kind::router, number[e.id], e.port};
    };
    g.host.assign(all.of_node.size(), router_graph::nowhere);
    for (const connection& c : links)
        if (c.from.what == kind::nic && c.receiver().what == kind::router)
            g.host[c.from.id] = number[c.receiver().id];
    find_neighbours(g, [&](const auto& f) {
        for (const connection& c : links) f(of_here(c.from), of_here(c.receiver()));
    });
    const std::vector<std::uint32_t> dims = dims_of(map, static_cast<std::uint32_t>(ports.size()));
    const partition_map cut =
        with_nodes(g, best_cut(g, dims.empty() || routers.empty() ? dims : box_of(routers, dims),
                               map != nullptr && map->grid() != nullptr, parts));
    for (std::uint32_t k = 0; k < routers.size(); ++k) again.of_router[routers[k]] = cut.of_router[k];
    again.of_node = cut.of_node;
    return again;
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
