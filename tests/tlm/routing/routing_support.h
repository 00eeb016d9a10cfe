// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/topology/topology_support.h"
#include "tlm/routing/deadlock/deadlock.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/graph/graph.h"

#include <set>

namespace sare::test {

inline std::unique_ptr<routing_function> routing(const std::string& line, const topology& net,
                                                 std::uint32_t vcs) {
    return routing_registry::instance().make(section(line, "function"), routing_context{&net, vcs});
}

/// The header of a packet with the n-th of the headers it may have.
inline route_header header(const routing_function& function, std::uint32_t s, std::uint32_t d,
                           std::size_t n = 0) {
    route_header h;
    h.source = s;
    h.destination = d;
    std::vector<route_header> all;
    function.every_header(h, all);
    return all.at(n);
}

/// "port:vcs" of each candidate, VCs in binary, "!" for an escape.
inline std::string text_of(const route_set& out) {
    std::string text;
    for (std::uint32_t i = 0; i < out.size; ++i) {
        const auto& c = out.candidates[i];
        std::string bits;
        for (int v = c.vcs; v != 0; v /= 2) bits.insert(bits.begin(), v % 2 != 0 ? '1' : '0');
        text += (i > 0 ? " " : "") + std::to_string(c.port) + ':' + bits + (c.escape ? "!" : "");
    }
    return text;
}
inline std::string candidates_at(const routing_function& function, std::uint32_t r, route_header h) {
    route_set out;
    function.route(r, 0, 0, h, out);
    return text_of(out);
}

inline deadlock_report check(const std::string& line, const topology& net, std::uint32_t vcs,
                             bool atomic = true) {
    const auto function = routing(line, net, vcs);
    deadlock_question q;
    q.network = &net;
    q.routing = function.get();
    q.vcs = vcs;
    q.atomic_or_cut_through = atomic;
    return check_deadlock(q);
}

/// A connected network of `routers` routers: a random tree and some more links; a node at each, or at two of
/// three.
inline std::unique_ptr<topology> random_graph(rng& random) {
    const std::uint32_t routers = 2 + random.below(18), more = random.below(2 * routers);
    std::ostringstream text;
    text << "sare-graph 1\n";
    for (std::uint32_t r = 1; r < routers; ++r) text << "link " << r << ' ' << random.below(r) << '\n';
    for (std::uint32_t i = 0; i < more; ++i) {
        const std::uint32_t a = random.below(routers), b = random.below(routers);
        if (a != b) text << "link " << a << ' ' << b << '\n';
    }
    std::uint32_t nodes = 0;
    const bool everywhere = random.bernoulli(0.5);
    for (std::uint32_t r = 0; r < routers; ++r)
        if (everywhere || r == 0 || random.below(3) > 0) text << "node " << nodes++ << ' ' << r << '\n';
    std::istringstream in(text.str());
    return read_graph(in, "random", {});
}

/// Links between the routers of all pairs: distance[from][to].
inline std::vector<std::vector<std::uint32_t>> distances(const topology& net) {
    const adjacency graph(net, adjacency::direction::forward);
    std::vector<std::vector<std::uint32_t>> all(net.routers());
    std::vector<std::uint32_t> queue;
    for (std::uint32_t r = 0; r < net.routers(); ++r) breadth_first(graph, r, all[r], queue);
    return all;
}

}  // namespace sare::test
