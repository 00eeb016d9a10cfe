// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/layout/cycle.h"

#include <algorithm>

namespace sare {

/// Route that a head carries where there is no route table: an output port, the VCs of this port that the
/// packet may take, and the number of routers, from the one that reads the head on, at which this answer of
/// the routing function holds. The route is in bits 32 to 47 of the flit's word: 1 << S bits for the VCs,
/// then the port, then the number of routers. S and N: as in vc_block.
template <int S, int N>
class packed_route {
    using set = typename vc_traits<S, N>::set;
    static constexpr std::uint32_t log2(std::uint32_t n) { return n < 2 ? 0 : 1 + log2(n / 2); }
    static constexpr std::uint32_t vcs_at = 32, port_at = vcs_at + (1 << S),
                                   routers_at = port_at + log2(vc_traits<S, N>::max_ports), end = 48;
    static constexpr std::uint64_t one_router = std::uint64_t{1} << routers_at;
    /// Returns the mask of bits `from` to `to` - 1.
    static constexpr std::uint64_t field(std::uint32_t from, std::uint32_t to) {
        return (std::uint64_t{1} << to) - (std::uint64_t{1} << from);
    }

  public:
    /// Largest number of routers in a route.
    static constexpr std::uint32_t longest = (1u << (end - routers_at)) - 1;
    /// Returns the head `word` with the route of these values. `vcs`: mask of VCs of `port`, bit v for VC v;
    /// `routers`: at most `longest`. Ranges are not checked.
    static std::uint64_t pack(std::uint64_t word, std::uint64_t port, std::uint64_t vcs,
                              std::uint64_t routers) {
        return (word & ~field(vcs_at, end)) | vcs << vcs_at | port << port_at | routers << routers_at;
    }
    /// True if the head `word` carries a route for the router that reads it: routers() is not 0.
    static bool is_known(std::uint64_t word) { return (word & field(routers_at, end)) != 0; }
    /// Returns the number of routers at which the route holds; 0: the head carries no route.
    static std::uint32_t routers(std::uint64_t word) {
        return static_cast<std::uint32_t>((word & field(routers_at, end)) >> routers_at);
    }
    /// Returns the output port of the route.
    static std::uint64_t port(std::uint64_t word) { return (word & field(port_at, routers_at)) >> port_at; }
    /// Returns the set of the output VCs that the route allows, by VC number.
    static set want(std::uint64_t word) {
        return static_cast<set>(static_cast<set>((word & field(vcs_at, port_at)) >> vcs_at)
                                << (port(word) << S));
    }
    /// Returns the head as it goes on to the next router, with one router less. The head must carry a route.
    static std::uint64_t advanced(std::uint64_t word) { return word - one_router; }
};

/// Finds the route of a head at a compact router: by the head's key in the route table, or by its
/// packed_route. Listed routers use it, and scanned routers without a route table; scanned routers with a
/// table read the table themselves. S, N and Polled: as in vc_stage.
template <int S, int N, bool Polled = false>
class head_route {
  public:
    using cycle = vc_cycle<S, N, Polled>;
    using block = vc_block<S, N, !Polled>;
    using set = typename block::set;
    using index = std::uint64_t;
    using way = packed_route<S, N>;

    SARE_INLINE head_route(const cycle& c, const block& b) : m_c(c), m_b(b) {}

    /// A route that of() has found.
    struct route {
        set want = 0;            ///< output VCs that the packet may ask for
        std::uint64_t word = 0;  ///< word of the head as it goes on to the next router
    };
    /// Returns the route of the head `word` in input VC i. If the head carries neither key nor route, the
    /// routing function is asked, and the routers for which its answer holds are added to packet::hops.
    SARE_INLINE route of(index i, std::uint64_t word) const {
        if constexpr (!Polled)
            if (m_c.keyed)
                return {static_cast<set>(m_c.wants[m_b.routes[m_c.entry(i >> S, flit::from_word(word))]]),
                        word};
        if (__builtin_expect(!way::is_known(word), 0)) word = ask_routing(m_c, m_b, i, word);
        return {way::want(word), way::advanced(word)};
    }
    /// Does what of() does for the head `word`, which has just arrived in input VC i. If the routing function
    /// is asked, its answer is put into `word`, so that a later call of of() need not ask again.
    SARE_INLINE route of_arrival(index i, std::uint64_t& word) const {
        if (!m_c.keyed && __builtin_expect(!way::is_known(word), 0)) find(i, word);
        return of(i, word);
    }
    /// Asks the routing function for the route of the head `word` in input VC i, which must carry no route,
    /// and puts the answer into `word`.
    SARE_INLINE void find(index i, std::uint64_t& word) const { word = ask_routing(m_c, m_b, i, word); }

  private:
    /// Returns the head `word` with the first candidate that the routing function answers as its route, and
    /// adds the routers for which the answer holds to packet::hops. Static, since the address of a step must
    /// not become known to a function that is not inlined: the step would not stay in registers.
    static __attribute__((noinline)) std::uint64_t ask_routing(const cycle& c, const block& b, index i,
                                                               std::uint64_t word) {
        packet& p = c.around.packets[flit::from_word(word).packet];
        route_set ways;
        c.around.routing->route(b.id, static_cast<std::uint32_t>(i) >> S, i & block::vc_mask, p.route, ways);
        const route_candidate first = ways.candidates[0];
        const std::uint32_t routers = std::min<std::uint32_t>(1 + ways.repeats, way::longest);
        p.hops = static_cast<std::uint16_t>(p.hops + routers);
        constexpr set port_mask = (set{1} << (1 << S)) - 1;
        return way::pack(word, first.port, (static_cast<set>(first.vcs) << p.route.vc_base) & port_mask,
                         routers);
    }

    const cycle& m_c;
    const block& m_b;
};

}  // namespace sare
