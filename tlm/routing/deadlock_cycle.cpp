// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock_cycle.h"

#include <algorithm>

namespace sare {
namespace {

/// Shortest cycle through v, which is on one.
std::vector<std::uint32_t> shortest_through(const flat_graph& graph, std::uint32_t v) {
    std::vector<std::uint32_t> parent(graph.first.size() - 1, 0xffffffff), queue{v};
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (std::uint64_t e = graph.first[queue[head]]; e < graph.first[queue[head] + 1]; ++e) {
            const std::uint32_t w = graph.to[e];
            if (w == v) {
                std::vector<std::uint32_t> cycle;
                for (std::uint32_t x = queue[head]; x != v; x = parent[x]) cycle.push_back(x);
                cycle.push_back(v);
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
            if (parent[w] != 0xffffffff) continue;
            parent[w] = queue[head];
            queue.push_back(w);
        }
    return {};
}

}  // namespace

std::vector<std::uint32_t> find_cycle(const flat_graph& graph) {
    enum : std::uint8_t { fresh, open, done };
    std::vector<std::uint8_t> colour(graph.first.size() - 1, fresh);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> path;  // vertex, next edge
    for (std::uint32_t start = 0; start < colour.size(); ++start) {
        if (colour[start] != fresh) continue;
        colour[start] = open;
        path.emplace_back(start, graph.first[start]);
        while (!path.empty()) {
            auto& [v, edge] = path.back();
            if (edge == graph.first[v + 1]) {
                colour[v] = done;
                path.pop_back();
                continue;
            }
            const std::uint32_t w = graph.to[edge++];
            if (colour[w] == open) return shortest_through(graph, w);
            if (colour[w] == done) continue;
            colour[w] = open;
            path.emplace_back(w, graph.first[w]);
        }
    }
    return {};
}

}  // namespace sare
