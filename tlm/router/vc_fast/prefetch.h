// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/cycle.h"

namespace sare {

/// Fetches what the steps of a list will use into the cache before their turn: first the line of a block with
/// its sets and its inbox; when they have come, the ports that they name; at last what these lead to. Not
/// where all routers together lie in a cache.
template <int S, int N>
class fast_prefetch {
    using block = fast_block<S, N, true>;
    static constexpr int far = static_cast<int>(prefetch_distance), middle = far / 2, near = far / 4;

  public:
    SARE_INLINE fast_prefetch(const fast_cycle<S, N, false>& cycle, const std::uint32_t* routers)
        : m_c(cycle) {
        if (!cycle.prefetches) return;
        for (int n = 0; n < far; ++n) fetch_block(routers[n]);
        for (int n = 0; n < middle; ++n) fetch_ports(routers[n]);
        for (int n = 0; n < near; ++n) fetch_beyond(routers[n]);
    }
    /// `routers`: from the one on whose turn it is.
    SARE_INLINE void advance(const std::uint32_t* routers) const {
        fetch_block(routers[far]);
        fetch_ports(routers[middle]);
        fetch_beyond(routers[near]);
    }

  private:
    SARE_INLINE void fetch_block(std::uint32_t r) const {
        __builtin_prefetch(&m_c.block_of(r), 1);
        __builtin_prefetch(m_c.inbox_of(r), 1);
    }
    SARE_INLINE std::uint64_t arrived(std::uint32_t r) const {
        return *m_c.inbox_of(r) >> block::arrivals_at;
    }
    SARE_INLINE flit flit_at(const block& b, std::uint64_t i) const {
        return flit::from_word(m_c.here[b.flits_at + (i >> S)]);
    }
    static SARE_INLINE std::uint64_t ready(const block& b) { return b.active & b.present & ~b.starved; }

    SARE_INLINE void fetch_ports(std::uint32_t r) const {
        block& b = m_c.block_of(r);
        const std::uint64_t flits = arrived(r), leave = ready(b);
        for (std::uint64_t rest = flits; rest != 0; rest &= rest - 1) {
            const std::uint64_t i = lowest(rest);
            __builtin_prefetch(&b.input_vcs[i], 1);
            const flit f = flit_at(b, i);
            if (m_c.way.routers(f.sequence) != 0)
                __builtin_prefetch(&b.output_vcs[port_of(f) << S], 1);
            else if (!m_c.keyed)
                __builtin_prefetch(&m_c.packets[f.packet], 1);
        }
        if (b.va != 0) __builtin_prefetch(&b.input_vcs[lowest(b.va)], 1);
        if (leave == 0) return;
        __builtin_prefetch(&b.input_vcs[lowest(leave)], 1);
        __builtin_prefetch(&b.front[lowest(leave)], 1);
    }

    SARE_INLINE void fetch_beyond(std::uint32_t r) const {
        block& b = m_c.block_of(r);
        const std::uint64_t flits = arrived(r), leave = ready(b);
        if (leave != 0) __builtin_prefetch(&b.output_vcs[b.in(lowest(leave)).out], 1);
        for (std::uint64_t rest = m_c.keyed ? 0 : flits; rest != 0; rest &= rest - 1) {
            const flit f = flit_at(b, lowest(rest));
            if (m_c.way.routers(f.sequence) != 0)
                __builtin_prefetch(m_c.later_flits + b.output_vcs[port_of(f) << S].flit_inbox, 1);
            else if (f.is_head())
                m_c.routing->expect(m_c.packets[f.packet].route);
        }
    }
    /// Of a head that knows its way; of other flits any port.
    SARE_INLINE std::uint64_t port_of(const flit& f) const {
        return m_c.way.port(f.sequence) & (block::max_ports - 1);
    }

    const fast_cycle<S, N, false>& m_c;
};

}  // namespace sare
