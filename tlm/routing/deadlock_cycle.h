// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// A directed graph laid out flat: the successors of v are to[first[v]] to to[first[v + 1] - 1].
struct flat_graph {
    std::vector<std::uint64_t> first{0};
    std::vector<std::uint32_t> to;
};

/// A cycle, the shortest through one of its vertices; empty if the graph has none.
std::vector<std::uint32_t> find_cycle(const flat_graph& graph);

}  // namespace sare
