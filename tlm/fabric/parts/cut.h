// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <cstdint>
#include <vector>

/// Ways to cut a network into parts. partition_map.h takes the balanced one with the fewest crossing links.
namespace sare {

/// Part of each router, from 0; by router.
using router_parts = std::vector<std::uint16_t>;

/// A network as a graph of routers, for the functions that cut it. A node belongs to the part of its router.
struct router_graph {
    static constexpr std::uint32_t nowhere = 0xffffffff;  ///< no router of the graph
    std::vector<std::uint32_t> ports;                     ///< number of ports, by router
    std::vector<std::uint32_t> host;  ///< router that a node sends into, or nowhere; by node
    /// Neighbours of router r: beside[first[r]] up to before beside[first[r + 1]], one entry for each
    /// direction of each link between them.
    std::vector<std::uint32_t> beside;
    std::vector<std::size_t> first;  ///< place in `beside`, by router; one entry more than routers

    std::uint32_t routers() const { return static_cast<std::uint32_t>(ports.size()); }
    /// Router at an end of a link: the router itself, or the host of a NIC's node; nowhere for foreign
    /// blocks.
    std::uint32_t router_of(const link_end& e) const {
        if (e.what == link_end::kind::nic) return host[e.id];
        return e.what == link_end::kind::router ? e.id : nowhere;
    }
};

/// Fills `beside` and `first` of a graph whose `ports` and `host` are set. each_link(f) must call f(from, to)
/// for every link, one direction each; it is called twice.
template <class F>
void find_neighbours(router_graph& g, const F& each_link) {
    const auto each_pair = [&](const auto& f) {
        each_link([&](const link_end& from, const link_end& to) {
            const std::uint32_t a = g.router_of(from), b = g.router_of(to);
            if (a != b && a != router_graph::nowhere && b != router_graph::nowhere) f(a, b), f(b, a);
        });
    };
    std::vector<std::size_t> next(g.routers() + std::size_t{1}, 0);
    each_pair([&](std::uint32_t a, std::uint32_t) { ++next[a + 1]; });
    for (std::uint32_t r = 0; r < g.routers(); ++r) next[r + 1] += next[r];
    g.first = next;
    g.beside.resize(next.back());
    each_pair([&](std::uint32_t a, std::uint32_t b) { g.beside[next[a]++] = b; });
}

/// Cuts routers, in the order of their nodes, into stretches with about as many ports each. A router without
/// nodes comes between its neighbours. No part is empty if there are `parts` routers.
router_parts slab_cut(const router_graph& g, std::uint32_t parts);

/// Cuts a grid of routers in two halves (or nearly, for an odd number of parts), and each of them again, each
/// time across the dimension where the cut crosses the fewest links (M. J. Berger, S. H. Bokhari, "A
/// partitioning strategy for nonuniform problems on multiprocessors", IEEE Trans. Computers C-36(5), 1987).
/// `dims`: size of each dimension; dimension 0 varies fastest.
router_parts block_cut(const router_graph& g, const std::vector<std::uint32_t>& dims, std::uint32_t parts);

/// Cuts a grid of routers into `parts` equal blocks, each dimension into stretches of about one length.
/// Returns up to two cuts: the best for open dimensions, and the best for dimensions closed to rings; none if
/// `parts` is no product of possible numbers of stretches.
std::vector<router_parts> regular_cuts(const std::vector<std::uint32_t>& dims, std::uint32_t parts);

/// Cuts by METIS (G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
/// graphs", SIAM J. Sci. Comput. 20(1), 1998): up to two cuts, the same at each call. None if METIS was not
/// there when this was built, for fewer than 4 routers a part, or for more than 2^25 entries in `beside`.
/// Throws config::error if METIS fails.
std::vector<router_parts> metis_cuts(const router_graph& g, std::uint32_t parts);

/// Number of links that lead from one part to another, counting each direction as one.
std::uint64_t crossing_links(const router_graph& g, const router_parts& of_router);

/// True if no part is empty, and the largest part has at most 1.05 times the mean number of ports, or no more
/// ports than the largest part of `slabs`.
bool is_balanced(const router_graph& g, const router_parts& of_router, const router_parts& slabs,
                 std::uint32_t parts);

}  // namespace sare
