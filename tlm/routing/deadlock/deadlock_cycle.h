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

/// The image of a graph whose vertices and edges are too many: some of its vertices have become one. Each
/// vertex has a label, which those that became one shared.
struct projection {
    flat_graph graph;
    std::vector<std::uint32_t> label;  ///< of each vertex
};

/// The strongly connected component of each vertex, numbered from 0.
std::vector<std::uint32_t> components(const flat_graph& graph);

/// Whether the graph of which these are projections, with labels below `labels`, may have a cycle: false is a
/// proof that it has none. On a cycle a label follows another only where it does so within a component of
/// every projection, even when the pairs of labels of which that is not so are left out.
bool may_be_cycle(const std::vector<projection>& all, std::uint32_t labels);

/// A cycle, the shortest through one of its vertices; empty if the graph has none.
std::vector<std::uint32_t> find_cycle(const flat_graph& graph);

}  // namespace sare
