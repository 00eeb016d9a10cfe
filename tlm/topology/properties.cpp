// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/properties.h"

#include "tlm/base/rng.h"
#include "tlm/config/schema.h"
#include "tlm/topology/adjacency.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace sare {
namespace {

void count_links(const topology& net, topology_properties& p) {
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        std::uint32_t degree = 0, used = 0;
        for (std::uint32_t port = 0; port < net.ports(router_id(r)); ++port) {
            const auto to = net.peer(router_id(r), port_id(port));
            const auto from = net.source(router_id(r), port_id(port));
            used += to.what != port_peer::kind::none || from.what != port_peer::kind::none;
            if (to.what != port_peer::kind::router) continue;
            ++degree;
            const auto back = net.peer(router_id(to.id), port_id(to.port));
            const bool paired = back.what == port_peer::kind::router && back.id == r && back.port == port;
            if (!paired || std::make_pair(r, port) < std::make_pair(to.id, to.port)) ++p.links;
        }
        p.channels += degree;
        ++p.degrees[degree];
        p.radix = std::max(p.radix, used);
    }
    p.links += net.nodes();
}

/// Nodes that send to each router, or that receive from it.
std::vector<std::uint32_t> population(const topology& net, bool receive) {
    std::vector<std::uint32_t> count(net.routers(), 0);
    for (std::uint32_t n = 0; n < net.nodes(); ++n)
        ++count[(receive ? net.ejection_of(node_id(n)).router : net.router_of(node_id(n))).value];
    return count;
}

}  // namespace

topology_properties size_of(const topology& net) {
    topology_properties p;
    p.nodes = net.nodes();
    p.routers = net.routers();
    count_links(net, p);
    return p;
}

topology_properties measure(const topology& net, std::uint64_t work) {
    topology_properties p = size_of(net);
    const closed_forms known = net.known();
    p.bisection = known.bisection;

    const auto at = population(net, true), from_here = population(net, false);
    // Pairs of (source router, nodes that it stands for).
    std::vector<std::pair<std::uint32_t, std::uint64_t>> sources;
    for (const auto& [n, count] : net.node_classes()) sources.emplace_back(net.router_of(n).value, count);
    if (sources.empty())
        for (std::uint32_t r = 0; r < p.routers; ++r)
            if (from_here[r] > 0) sources.emplace_back(r, from_here[r]);

    const std::uint64_t one_search = p.routers + p.channels;
    if (sources.size() > work / one_search) {
        if (known.diameter && known.mean_distance) {
            p.diameter = *known.diameter;
            p.mean_distance = *known.mean_distance;
            p.distances = topology_properties::origin::formula;
            return p;
        }
        p.distances = topology_properties::origin::sample;
        const auto most = std::max<std::uint64_t>(work / one_search, 16);
        rng random(1, stream::test, 0);
        sources.clear();
        for (std::uint64_t i = 0; i < most; ++i)
            sources.emplace_back(net.router_of(node_id(random.below(p.nodes))).value, 1);
    }

    const adjacency graph(net, adjacency::direction::forward);
    std::vector<std::uint32_t> distance, queue;
    std::uint64_t pairs = 0;  // planes reach no others
    double sum = 0;
    for (const auto& [r, count] : sources) {
        breadth_first(graph, r, distance, queue);
        std::uint64_t total = 0, reached = 0;
        for (const std::uint32_t q : queue) {
            reached += at[q];
            if (at[q] == 0) continue;
            total += std::uint64_t{at[q]} * distance[q];
            p.diameter = std::max(p.diameter, distance[q]);
        }
        sum += static_cast<double>(total) * static_cast<double>(count);
        pairs += count * reached;
    }
    p.searches = static_cast<std::uint32_t>(sources.size());
    p.mean_distance = sum / static_cast<double>(pairs);
    return p;
}

void write_properties(const topology_properties& p, std::ostream& out) {
    out << "nodes: " << p.nodes << "\nrouters: " << p.routers << "\nlinks: " << p.links
        << "\nchannels between routers: " << p.channels << "\nradix: " << p.radix << "\ndegrees:";
    for (const auto& [degree, count] : p.degrees) out << ' ' << count << " x " << degree;
    std::string how;
    if (p.distances == topology_properties::origin::formula) how = " (by formula)";
    if (p.distances == topology_properties::origin::sample)
        how = fmt::format(" (sampled from {} nodes)", p.searches);
    out << "\ndiameter: " << (p.distances == topology_properties::origin::sample ? "at least " : "")
        << p.diameter << how << "\nmean distance: " << config::number_text(p.mean_distance) << how
        << "\nbisection: "
        << (p.bisection ? fmt::format("{} channels", *p.bisection) : std::string("no formula known")) << '\n';
}

std::vector<std::uint32_t> node_dims(const topology& map) {
    const coordinate_shape* grid = map.coordinates();
    if (grid == nullptr) return {map.nodes()};
    // Nodes of one router follow each other: concentration is a dimension of its own, the fastest.
    std::vector<std::uint32_t> dims = grid->dims;
    if (grid->concentration > 1) dims.insert(dims.begin(), grid->concentration);
    return dims;
}

bool any_link_sleeps(const topology& map) {
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
            if (map.link(router_id(r), port_id(p)).wake != 0) return true;
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        if (map.injection_link(node_id(n)).wake != 0) return true;
    return false;
}

std::optional<unreachable_pair> find_unreachable(const topology& net) {
    std::vector<std::uint32_t> distance, queue;
    for (const auto way : {adjacency::direction::forward, adjacency::direction::backward}) {
        breadth_first(adjacency(net, way), 0, distance, queue);
        const auto lost = std::find(distance.begin(), distance.end(), unreached);
        if (lost == distance.end()) continue;
        const auto r = static_cast<std::uint32_t>(lost - distance.begin());
        return way == adjacency::direction::forward ? unreachable_pair{0, r} : unreachable_pair{r, 0};
    }
    return std::nullopt;
}

}  // namespace sare
