// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <cstdint>
#include <vector>

/// Ways to cut a network into parts that threads or processes run. cut_network() in partition_map.h takes the
/// balanced cut with the fewest crossing links.
namespace sare {

/// Number of the part, from 0, of each router; by router.
using router_parts = std::vector<std::uint16_t>;

/// A network as a graph of routers, the form in which the functions below cut it. A node belongs to the part
/// of its router.
struct router_graph {
    /// Value of `host` and of router_of(): no router of the graph.
    static constexpr std::uint32_t nowhere = 0xffffffff;
    std::vector<std::uint32_t> ports;  ///< number of ports, by router
    std::vector<std::uint32_t> host;   ///< router that each node sends into, or nowhere; by node
    /// Neighbours of router r: beside[first[r]] to beside[first[r + 1] - 1]. A neighbour stands there once
    /// for each direction of each link between r and the neighbour.
    std::vector<std::uint32_t> beside;
    /// Index in `beside` of each router's first neighbour, by router; one more entry has the size of
    /// `beside`.
    std::vector<std::size_t> first;

    std::uint32_t routers() const { return static_cast<std::uint32_t>(ports.size()); }
    /// Returns the router at an end of a link: the router itself, or the host of a NIC's node; nowhere for
    /// foreign blocks.
    std::uint32_t router_of(const link_end& e) const {
        if (e.what == link_end::kind::nic) return host[e.id];
        return e.what == link_end::kind::router ? e.id : nowhere;
    }
};

/// Fills `beside` and `first` of a graph whose `ports` and `host` are set. `each_link(f)` must call f(from,
/// to) for each direction of every link; it is called twice.
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

/// Sorts all routers by the number of their first node, and cuts this list into `parts` stretches with about
/// as many ports each. A router without nodes gets the mean place of its neighbours. No part is empty if
/// there are at least `parts` routers.
router_parts slab_cut(const router_graph& g, std::uint32_t parts);

/// Cuts a grid of routers in two halves (in a ratio as near as possible if `parts` is odd), and each of them
/// again until there are `parts`. Each cut is across the dimension where it crosses the fewest links (M. J.
/// Berger, S. H. Bokhari, "A partitioning strategy for nonuniform problems on multiprocessors", IEEE Trans.
/// Computers C-36(5), 1987). `dims`: size of each dimension; dimension 0 varies fastest. Their product must
/// be the number of routers (not checked).
router_parts block_cut(const router_graph& g, const std::vector<std::uint32_t>& dims, std::uint32_t parts);

/// Cuts a grid of routers into `parts` blocks of about one size, by cutting each dimension into stretches of
/// about one length. Returns two cuts, which may be equal: the cut with the fewest links between blocks if no
/// dimension is a ring, and the cut with the fewest if all are. Returns an empty list if the numbers of
/// stretches cannot have `parts` as their product. `dims`: as for block_cut().
std::vector<router_parts> regular_cuts(const std::vector<std::uint32_t>& dims, std::uint32_t parts);

/// Cuts by METIS (G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
/// graphs", SIAM J. Sci. Comput. 20(1), 1998). Returns one or two cuts, the same at each call; an empty list
/// if this was built without METIS, for fewer than 4 routers a part, and for more than 2^25 entries in
/// `beside`. Throws config::error if METIS fails, std::bad_alloc if memory is short.
std::vector<router_parts> metis_cuts(const router_graph& g, std::uint32_t parts);

/// Returns the number of links between different parts, counting each direction as one.
std::uint64_t crossing_links(const router_graph& g, const router_parts& of_router);

/// True if no part is empty and the part with the most ports is not too large. It may have 1.05 times the
/// mean of all parts, or as many ports as the largest part of `slabs`, the result of slab_cut().
bool is_balanced(const router_graph& g, const router_parts& of_router, const router_parts& slabs,
                 std::uint32_t parts);

}  // namespace sare
