// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/layout/cycle.h"

#include <algorithm>

namespace sare {

/// Finds the route of a head at a compact router: by the key of the route table that the head carries, or by
/// its packed_route. Listed routers use it, and scanned ones without a route table; with one they read it
/// themselves. S, N and Polled: as in vc_stage.
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
    /// Returns the route of the head `word` in input VC i. Asks the routing function if the head carries no
    /// route for this router, and then counts the hops of the packet.
    SARE_INLINE route of(index i, std::uint64_t word) const {
        if constexpr (!Polled)
            if (m_c.keyed)
                return {static_cast<set>(m_c.wants[m_b.routes[m_c.entry(i >> S, flit::from_word(word))]]),
                        word};
        if (__builtin_expect(!way::is_known(word), 0)) word = ask_routing(m_c, m_b, i, word);
        return {way::want(word), way::advanced(word)};
    }
    /// Does what of() does for the head `word`, which has just arrived in input VC i. If the routing function
    /// is asked, its answer is put into `word`, so that a later of() need not ask again.
    SARE_INLINE route of_arrival(index i, std::uint64_t& word) const {
        if (!m_c.keyed && __builtin_expect(!way::is_known(word), 0)) find(i, word);
        return of(i, word);
    }
    /// Asks the routing function for the route of the head `word`, which must carry none, and puts the answer
    /// into `word`.
    SARE_INLINE void find(index i, std::uint64_t& word) const { word = ask_routing(m_c, m_b, i, word); }

  private:
    /// Returns the head with the route that the routing function answers (its first candidate), and adds the
    /// routers for which it holds to the hops of the packet. Static, since the address of a step must not
    /// become known to a function that is not inlined: the step would not stay in registers.
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
