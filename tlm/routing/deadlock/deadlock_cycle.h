// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// A directed graph in two arrays: the successors of vertex v are to[first[v]] to to[first[v + 1] - 1].
/// `first` has one element more than there are vertices.
struct flat_graph {
    std::vector<std::uint64_t> first{0};  ///< index in `to` of the first successor of each vertex
    std::vector<std::uint32_t> to;        ///< successors, vertex by vertex
};

/// Image of a graph that is too large to be built: each vertex stands for several vertices of that graph, all
/// with the same label.
struct projection {
    flat_graph graph;                  ///< the image
    std::vector<std::uint32_t> label;  ///< label of each vertex
};

/// Returns the graph whose edges are the images of the edges of `graph`, equal ones kept: from image[v] to
/// image[w] for an edge from v to w. Images must be below the number of vertices; unchecked.
flat_graph image_of(const flat_graph& graph, const std::vector<std::uint32_t>& image);

/// Returns the number, from 0 on, of the strongly connected component of each vertex, by vertex.
std::vector<std::uint32_t> components(const flat_graph& graph);

/// Returns false if projections of one graph prove that it has no cycle; true if it may have one. `labels`:
/// number of labels, which are 0 to `labels` - 1. Method: labels that follow each other on a cycle of the
/// graph also follow each other within one strongly connected component of every projection. Pairs of labels
/// that do not are removed from all projections, until nothing changes; if no pair is left, there is no
/// cycle.
bool may_be_cycle(const std::vector<projection>& all, std::uint32_t labels);

/// Returns the vertices of a cycle in order, the shortest cycle through one of its vertices; empty if the
/// graph has no cycle.
std::vector<std::uint32_t> find_cycle(const flat_graph& graph);

}  // namespace sare
