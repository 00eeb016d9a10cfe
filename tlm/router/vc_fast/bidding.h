// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/stage.h"
#include "tlm/router/vc_fast/vc_allocation.h"

namespace sare {

/// Heads bid for output VCs.
template <int S, int N, bool Polled, fast_variety Variety>
class fast_bidding : fast_stage<S, N, Polled, Variety> {
    using stage = fast_stage<S, N, Polled, Variety>;
    using typename stage::block;
    using typename stage::index;
    using typename stage::input;
    using typename stage::set;
    using bids = fast_bids<S, N>;
    using stage::adaptive;
    using stage::at_once;
    using stage::full;
    using stage::has_credits;
    using stage::has_room;
    using stage::has_stages;
    using stage::m_b;
    using stage::m_c;
    using stage::one;
    using stage::rules;
    using stage::shape;
    using stage::vc_mask;

  public:
    using stage::stage;

    /// Gives the winners. `speculative`: heads that ask for the switch as well, in the hope that VA gives
    /// them one of `asked`.
    SARE_INLINE set allocate(set bidding, bids& asked, set& speculative) {
        if constexpr (full)
            if (rules().va_allocator != compiled_allocator::input_first || rules().speculative)
                return allocate_asked(bidding, asked, speculative);
        return allocate_input_first(bidding, [this](index i) { return find_open(i); });
    }

  private:
    /// Of the open output VCs of several ways, those of the way that is taken: one of the escape only when no
    /// other has any.
    static __attribute__((noinline)) set select_candidate(const fast_shape& shape, const block& b,
                                                          std::uint32_t now, index i, set open) {
        const flit head = flit::from_word(b.front(i));
        const fast_ways& ways = shape.ways[b.routes[(i >> S) * shape.by_input + head.sequence]];
        const bool escapes = (open & ways.adaptive) == 0;
        const std::uint64_t* const masks = shape.masks.data() + ways.first;
        const std::uint64_t* const last = masks + (escapes ? ways.size : ways.escape);
        const std::uint64_t* mask = masks + (escapes ? ways.escape : 0);
        set best = open & static_cast<set>(*mask);
        while (best == 0) best = open & static_cast<set>(*++mask);  // some way is open
        if (!shape.by_credits) return best;
        constexpr std::uint32_t unknown = ~std::uint32_t{0};  // mostly there is no other to compare it with
        std::uint32_t most = unknown;
        while (++mask != last) {
            const set part = open & static_cast<set>(*mask);
            if (part == 0) continue;
            if (most == unknown) most = credits_of(b, best, now);
            const std::uint32_t credits = credits_of(b, part, now);
            if (credits <= most) continue;
            best = part;
            most = credits;
        }
        return best;
    }
    /// Of VCs of one port.
    static SARE_INLINE std::uint32_t credits_of(const block& b, set part, std::uint32_t now) {
        std::uint32_t credits = 0;
        for (; part != 0; part &= part - 1) credits += b.credits_at(lowest(part), now);
        return credits;
    }

    /// The output VCs that head i may ask for, all of one port.
    SARE_INLINE set find_open(index i) {
        set open = m_b.free & m_b.in(i).want;
        if (full && rules().room_in_va)
            for (set rest = open; rest != 0; rest &= rest - 1)
                if (!has_credits(i, lowest(rest))) remove_member(open, lowest(rest));
        if ((adaptive || (!Polled && !has_stages)) && open != 0 && rules().adaptive)
            open = select_candidate(shape(), m_b, static_cast<std::uint32_t>(m_c.now), i, open);
        return open;
    }

    SARE_INLINE bool has_credits_for_any(index i, set open) const {
        if (!rules().room) return (open & m_b.stocked) != 0;
        for (; open != 0; open &= open - 1)
            if (has_credits(i, lowest(open))) return true;
        return false;
    }

    SARE_INLINE set allocate_asked(set bidding, bids& asked, set& speculative) {
        for (; bidding != 0; bidding &= bidding - 1) {
            const index i = lowest(bidding);
            const set open = find_open(i);
            if (open == 0) continue;
            asked.open[i] = open;
            add_member(asked.rows, i);
            if (rules().speculative && has_credits_for_any(i, open)) add_member(speculative, i);
        }
        if (rules().va_allocator == compiled_allocator::input_first)
            return allocate_input_first(asked.rows, [&asked](index i) { return asked.open[i]; });
        set won = 0;
        const auto grant = [&](index i, index o) {
            remove_member(m_b.free, o);
            add_member(won, i);
            m_b.owner(o) = static_cast<std::uint8_t>(i);
            m_b.in(i).out = static_cast<std::uint8_t>(o);
            if (!has_credits(i, o)) m_b.starved |= one(i);
        };
        if (rules().va_allocator == compiled_allocator::output_first)
            fast_vc_allocation<S, N>::output_first(m_b, m_c.after, asked, grant);
        else
            fast_vc_allocation<S, N>::wavefront(shape(), m_c.now, asked, grant);
        return won;
    }

    /// Separable, input first. The first to ask for an output VC gets it at once; a later request takes it
    /// away if round robin, which starts after the one served last, meets it first. Gives the winners.
    template <class Open>
    SARE_INLINE set allocate_input_first(set bidding, Open&& find) {
        const set free = m_b.free, stocked = m_b.stocked;
        set asked = 0, won = 0;
        std::uint8_t owner_before[N], turn_before[N];
        for (; bidding != 0; bidding &= bidding - 1) {
            const index i = lowest(bidding);
            input& c = m_b.in(i);
            const set open = find(i);
            if (open == 0) continue;
            const std::uint8_t turn = c.out;
            const index o = m_c.after.pick(open, turn & vc_mask);
            std::uint8_t& owner = at_once(m_b.owner(o));
            if (!is_member(asked, o)) {
                owner_before[o] = owner;
            } else {
                const index last = owner_before[o], leads = owner;
                if (!(leads <= last && i > last)) continue;
                m_b.in(leads).out = turn_before[o];
                m_b.starved &= ~one(leads);
                remove_member(won, leads);
            }
            add_member(asked, o);
            add_member(won, i);
            turn_before[o] = turn;
            owner = static_cast<std::uint8_t>(i);
            c.out = static_cast<std::uint8_t>(o);
            if (!(has_room() ? has_credits(i, o) : is_member(stocked, o))) m_b.starved |= one(i);
        }
        m_b.free = free & ~asked;
        return won;
    }
};

}  // namespace sare
