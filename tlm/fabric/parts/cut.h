// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <cstdint>
#include <vector>

/// Ways to cut a network, of which the one with the fewest crossing links is taken: see partition.h.
namespace sare {

/// By router: its part, from 0.
using router_parts = std::vector<std::uint16_t>;

/// What a cut must know of a network. A node stands where its router does.
struct router_graph {
    static constexpr std::uint32_t nowhere = 0xffffffff;
    std::vector<std::uint32_t> ports;  ///< by router
    std::vector<std::uint32_t> host;   ///< by node: the router that it sends into; nowhere: none of these
    /// Of router r from first[r] to first[r + 1]: the other ends of its links, one for each direction.
    std::vector<std::uint32_t> beside;
    std::vector<std::size_t> first;

    std::uint32_t routers() const { return static_cast<std::uint32_t>(ports.size()); }
    std::uint32_t router_of(const link_end& e) const {
        if (e.what == link_end::kind::nic) return host[e.id];
        return e.what == link_end::kind::router ? e.id : nowhere;
    }
};

/// `ports` and `host` are there. `each_link`, which is called twice, calls what it gets with both ends of
/// each link.
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

/// Routers in the order of their nodes, those without between their neighbours: each part is a stretch of
/// that with about as many ports as any other.
router_parts slab_cut(const router_graph& g, std::uint32_t parts);

/// Of routers with coordinates (`dims`: sizes, dimension 0 varies fastest): halves, or what is nearest to
/// them for this number of parts, each cut anew, every time across the dimension that is cut with the fewest
/// links (M. J. Berger, S. H. Bokhari, "A partitioning strategy for nonuniform problems on multiprocessors",
/// IEEE Trans. Computers C-36(5), 1987).
router_parts block_cut(const router_graph& g, const std::vector<std::uint32_t>& dims, std::uint32_t parts);

/// Of the same: each dimension cut into as many stretches, for the fewest links where it is open and where it
/// is closed to a ring. None where no such numbers give `parts`.
std::vector<router_parts> regular_cuts(const std::vector<std::uint32_t>& dims, std::uint32_t parts);

/// By METIS (G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
/// graphs", SIAM J. Sci. Comput. 20(1), 1998): by several ways, the same at each call. None where it was not
/// there when this was built, or where there is too little or too much to cut.
std::vector<router_parts> metis_cuts(const router_graph& g, std::uint32_t parts);

/// Links that lead from one part to another, each direction one.
std::uint64_t crossing_links(const router_graph& g, const router_parts& of_router);

/// No part is empty, and none has 5% more ports than their mean and more than the heaviest of `slabs`.
bool is_balanced(const router_graph& g, const router_parts& of_router, const router_parts& slabs,
                 std::uint32_t parts);

}  // namespace sare
