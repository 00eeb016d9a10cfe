// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// A directed graph in two arrays: the successors of vertex v are to[first[v]] to to[first[v + 1] - 1].
struct flat_graph {
    std::vector<std::uint64_t> first{0};
    std::vector<std::uint32_t> to;
};

/// Image of a graph that is too large: each vertex stands for several vertices of that graph, all with the
/// same label.
struct projection {
    flat_graph graph;
    std::vector<std::uint32_t> label;  ///< label of each vertex
};

/// Returns the number, from 0, of each vertex's strongly connected component.
std::vector<std::uint32_t> components(const flat_graph& graph);

/// Returns false if projections of one graph prove that it has no cycle; true if it may have one. Labels are
/// below `labels`. Proof: on a cycle, a pair of successive labels occurs within a component of every
/// projection, also after all other pairs have been removed.
bool may_be_cycle(const std::vector<projection>& all, std::uint32_t labels);

/// Returns the vertices of a cycle, the shortest through one of its vertices; empty if the graph has no
/// cycle.
std::vector<std::uint32_t> find_cycle(const flat_graph& graph);

}  // namespace sare
