// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/fetch_ahead.h"
#include "tlm/router/vc_fast/way.h"

#include <algorithm>

namespace sare {

/// Fetches what the routers of a dense network will use into the cache, some routers ahead of their turn: the
/// whole block, as most routers are busy; where the routers are more than a processor's caches hold also the
/// flits that come, where flits go and wait, and the packets of heads that do not know their way. Nothing
/// where the routers lie in a near cache.
template <int S, int N>
class fast_dense_prefetch {
    using block = fast_block<S, N, false>;
    using set = typename block::set;
    /// Routers ahead, each stage before the one that reads what it fetches.
    static constexpr std::uint64_t blocks = 12, flits = 9, links = 6, ways = 3;

  public:
    SARE_INLINE explicit fast_dense_prefetch(const fast_cycle<S, N, true>& cycle)
        : m_c(cycle), m_last(cycle.around.shape.routers - 1) {}

    SARE_INLINE void advance(std::uint64_t k) {
        if (!m_c.prefetches) return;
        fetch_block(k + blocks);  // there need not be so many
        if (!m_c.fetches_all) return;
        fetch_ahead(flits_of(later(k, flits)));
        fetch_links(later(k, links));
        if ((m_asking & 1 << (links - ways)) != 0) expect_ways(later(k, ways));
        m_asking <<= 1;
    }

  private:
    SARE_INLINE std::uint64_t later(std::uint64_t k, std::uint64_t routers) const {
        return std::min(k + routers, m_last);
    }
    SARE_INLINE set arrived(std::uint64_t k) const {
        return static_cast<set>(*m_c.inbox_of(k) >> block::arrivals_at);
    }
    SARE_INLINE std::uint64_t* flits_of(std::uint64_t k) const { return m_c.here + m_c.block_of(k).flits_at; }
    static SARE_INLINE bool asks(std::uint64_t word) {
        return flit::from_word(word).is_head() && !packed_route<S, N>::is_known(word);
    }

    SARE_INLINE void fetch_block(std::uint64_t k) const {
        constexpr std::uint32_t line = 64;
        block& b = m_c.block_of(k);
        auto* const first = reinterpret_cast<const std::uint8_t*>(&b);
        auto* const vcs = reinterpret_cast<const std::uint8_t*>(&b.in(0));
        for (auto* at = first; at < vcs; at += line) fetch_ahead(at);
        for (std::uint64_t i = 0; i < m_c.in_vcs; i += line / sizeof(std::uint64_t)) {
            fetch_ahead(&b.in(i));
            fetch_ahead(&b.front(i));
        }
        for (std::uint64_t i = 0; i < m_c.in_vcs; i += line / sizeof(std::uint32_t)) fetch_ahead(&b.sent(i));
    }

    SARE_INLINE void fetch_links(std::uint64_t k) {
        block& b = m_c.block_of(k);
        for (set rest = b.active & b.present & ~b.starved; rest != 0; rest &= rest - 1) {
            const std::uint64_t i = lowest(rest);
            const auto& from = b.in(i);
            fetch_ahead(m_c.flits + b.flit_at[from.out >> S]);
            if (from.count > 1) fetch_ahead(&m_c.buffered(b, from.head + 1, i));
        }
        const set arrivals = arrived(k);
        for (set rest = arrivals & b.present; rest != 0; rest &= rest - 1) {
            const std::uint64_t i = lowest(rest);
            fetch_ahead(&m_c.buffered(b, b.in(i).head + b.in(i).count, i));
        }
        const std::uint64_t* const words = flits_of(k);
        for (set rest = arrivals & ~b.present; rest != 0; rest &= rest - 1) {
            const std::uint64_t word = words[lowest(rest) >> S];
            if (!asks(word)) continue;
            fetch_ahead(&m_c.around.packets[flit::from_word(word).packet]);
            m_asking |= 1;
        }
    }

    SARE_INLINE void expect_ways(std::uint64_t k) const {
        const std::uint64_t* const words = flits_of(k);
        for (set rest = arrived(k); rest != 0; rest &= rest - 1)
            if (const std::uint64_t word = words[lowest(rest) >> S]; asks(word))
                m_c.around.routing->expect(m_c.around.packets[flit::from_word(word).packet].route);
    }

    const fast_cycle<S, N, true>& m_c;
    const std::uint64_t m_last;
    std::uint32_t m_asking = 0;  ///< bit n: to the router n before the last one seen such a head comes
};

}  // namespace sare
