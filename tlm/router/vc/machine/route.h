// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/layout/cycle.h"

#include <algorithm>

namespace sare {

/// The way of a head, by the route table's key or the packed_route that it carries.
template <int S, int N, bool Polled = false>
class vc_way {
  public:
    using cycle = vc_cycle<S, N, Polled>;
    using block = vc_block<S, N, !Polled>;
    using set = typename block::set;
    using index = std::uint64_t;
    using way = packed_route<S, N>;

    SARE_INLINE vc_way(const cycle& c, const block& b) : m_c(c), m_b(b) {}

    struct route {
        set want = 0;            ///< output VCs that the packet may have
        std::uint64_t word = 0;  ///< its head for the next router
    };
    SARE_INLINE route of(index i, std::uint64_t word) const {
        if constexpr (!Polled)
            if (m_c.keyed)
                return {static_cast<set>(m_c.wants[m_b.routes[m_c.entry(i >> S, flit::from_word(word))]]),
                        word};
        if (__builtin_expect(!way::is_known(word), 0)) word = ask_routing(m_c, m_b, i, word);
        return {way::want(word), way::advanced(word)};
    }
    /// The same of a head that has just come by input VC i: if the routing function has to be asked, the
    /// answer is noted there.
    SARE_INLINE route of_arrival(index i, std::uint64_t& word) const {
        if (!m_c.keyed && __builtin_expect(!way::is_known(word), 0)) find(i, word);
        return of(i, word);
    }
    /// Of a head that does not know its way.
    SARE_INLINE void find(index i, std::uint64_t& word) const { word = ask_routing(m_c, m_b, i, word); }

  private:
    /// The head with its way from here on. No member that knows `this`: a step whose address is known to
    /// others would not stay in registers.
    static __attribute__((noinline)) std::uint64_t ask_routing(const cycle& c, const block& b, index i,
                                                               std::uint64_t word) {
        packet& p = c.around.packets[flit::from_word(word).packet];
        route_set ways;
        c.around.routing->route(b.id, static_cast<std::uint32_t>(i) >> S, i & block::vc_mask, p.route, ways);
        const route_candidate first = ways.candidates[0];
        const std::uint32_t routers = std::min<std::uint32_t>(1 + ways.repeats, way::longest);
        p.hops = static_cast<std::uint16_t>(p.hops + routers);
        constexpr set port_mask = (set{1} << (1 << S)) - 1;
        return way::pack(word, first.port, (set{first.vcs} << p.route.vc_base) & port_mask, routers);
    }

    const cycle& m_c;
    const block& m_b;
};

}  // namespace sare
