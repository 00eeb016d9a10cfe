// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/stage.h"

namespace sare {

/// What comes into a router: credits, flits, and packets that come to the front when others leave.
template <int S, int N, bool Polled, fast_variety Variety>
class fast_arrivals : fast_stage<S, N, Polled, Variety> {
    using stage = fast_stage<S, N, Polled, Variety>;
    using stage::adaptive;
    using stage::at_once;
    using stage::full;
    using stage::has_credits;
    using stage::has_room;
    using stage::m_b;
    using stage::m_c;
    using stage::one;
    using stage::route;
    using stage::rules;
    using stage::take_front;
    using typename stage::block;
    using typename stage::index;
    using typename stage::input;
    using typename stage::set;

  public:
    using stage::stage;

    /// Gives the heads that have come to the front.
    SARE_INLINE set read(std::uint64_t* inbox) {
        const std::uint64_t word = inbox[0];
        if (!Polled && word == 0 && N <= 32) return 0;
        inbox[0] = 0;
        auto credits = static_cast<set>(word);
        if constexpr (N > 32) {
            credits = inbox[1];
            inbox[1] = 0;
        }
        if (credits != 0) take_credits(credits);
        const auto arrived = static_cast<set>(word >> block::arrivals_at);
        if (arrived == 0) return 0;
        const std::uint64_t* const flits = m_c.here + m_b.flits_at;
        if constexpr (full)
            if (rules().whole) return take_whole(arrived, flits);
        return take_flits(arrived, flits);
    }

    /// What was foreseen for this cycle: the buffers are empty and the output VCs free, once SA is over.
    /// Gives the VCs in which another packet comes to the front.
    SARE_INLINE set take_behind(const typename block::passage& foreseen) {
        const set more = foreseen.in & m_b.behind;
        m_b.leave({foreseen.in & ~more, foreseen.out});
        m_b.behind &= ~more;
        for (set rest = more; rest != 0; rest &= rest - 1) {
            const index i = lowest(rest);
            take_front(i, m_b.in(i));
            route(i, m_b.in(i));
        }
        return more;
    }

  private:
    /// A packet is present when its tail has come.
    SARE_INLINE set take_whole(set arrived, const std::uint64_t* flits) {
        set complete = 0;
        for (; arrived != 0; arrived &= arrived - 1) {
            const index i = lowest(arrived);
            const std::uint64_t word = flits[i >> S];
            if (m_b.in(i).count == 0) {
                m_b.front(i) = word;
                m_b.in(i).count = 1;
            } else {
                put_behind(i, word);
            }
            if (!flit::from_word(word).is_tail() || m_b.tails[i]++ != 0) continue;
            route(i, m_b.in(i));
            add_member(complete, i);
        }
        m_b.present |= complete;
        return complete;
    }

    SARE_INLINE set take_flits(set arrived, const std::uint64_t* flits) {
        const set present = m_b.present;
        m_b.present = present | arrived;
        for (set rest = arrived & present; rest != 0; rest &= rest - 1) {
            const index i = lowest(rest);
            put_behind(i, flits[i >> S]);
        }
        set heads = 0;
        for (set rest = arrived & ~present; rest != 0; rest &= rest - 1) {
            const index i = lowest(rest);
            const std::uint64_t word = flits[i >> S];
            input& c = at_once(m_b.in(i));
            m_b.front(i) = word;
            c.count = 1;
            if (!flit::from_word(word).is_head()) continue;
            route(i, c);
            add_member(heads, i);
        }
        return heads;
    }

    SARE_INLINE void take_credits(set credits) {
        if constexpr (Polled) {
            const set draining = adaptive ? m_b.draining & credits : 0;
            const set owned = credits & ~(m_b.free | draining);
            m_b.feed(credits, has_room() ? ~set{0} : m_b.free | draining);
            for (; credits != 0; credits &= credits - 1) ++m_b.credits(lowest(credits));
            if (has_room()) feed_room(owned);
            if (adaptive) free_drained(draining);
        } else {
            link_side<S, N>(m_c, m_b).take_credits(credits);
        }
    }

    /// There are credits for these, perhaps enough of them.
    SARE_INLINE void feed_room(set owned) {
        for (; owned != 0; owned &= owned - 1) {
            const index o = lowest(owned), i = m_b.owner(o);
            if (has_credits(i, o)) m_b.starved &= ~one(i);
        }
    }

    /// Credits have come back to these.
    SARE_INLINE void free_drained(set draining) {
        for (; draining != 0; draining &= draining - 1) {
            const index o = lowest(draining);
            if (m_b.credits(o) != m_b.depth_beyond[o >> S]) continue;
            m_b.draining &= ~one(o);
            m_b.free |= one(o);
        }
    }

    SARE_INLINE void put_behind(index i, std::uint64_t word) {
        input& c = m_b.in(i);
        std::uint32_t place = c.head + c.count++;
        if (place >= m_c.depth) place -= m_c.depth;
        m_c.buffered(m_b, place, i) = flit::from_word(word);
    }
};

}  // namespace sare
