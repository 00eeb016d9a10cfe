// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/odd_ports.h"
#include "tlm/router/vc_fast/passage.h"
#include "tlm/router/vc_fast/prefetch.h"
#include "tlm/router/vc_fast/switch_allocation.h"
#include "tlm/router/vc_fast/vc_allocation.h"

/// One cycle of a fast router (see fast_block): the same machine as ../step.h, written for the number
/// of instructions. Numbers of VCs are port << S | vc throughout. What a loop adds to a set it gathers in a
/// local one, so that it stays in a register: a store through a pointer would force it to memory and back.
namespace sare {

template <int S, int N, bool Polled, fast_variety Variety>
class fast_step {
    using block = fast_block<S, N, !Polled>;
    using set = typename block::set;
    using input = typename block::input;
    using index = std::uint64_t;  ///< as registers are: a narrower one would have to be widened
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    static constexpr set port_mask = (set{1} << (1 << S)) - 1;  ///< VCs of port 0
    static constexpr bool full = Polled && Variety == fast_variety::full;
    static constexpr bool adaptive = Polled && Variety != fast_variety::basic;
    using bids = fast_bids<S, N>;
    static set one(std::uint64_t i) { return set{1} << i; }

  public:
    SARE_INLINE fast_step(const fast_cycle<S, N, Polled>& cycle, block& b) : m_c(cycle), m_b(b) {}

    /// True if there is something to do in the next cycle.
    SARE_INLINE bool run(std::uint64_t* inbox) {
        typename block::passage leaving;  // as foreseen
        if constexpr (!Polled) {
            leaving = m_b.leaving(m_c.now);
            const auto arrived = static_cast<set>(inbox[0] >> block::arrivals_at);
            m_b.behind |= arrived & m_b.present & (leaving.in | m_b.soon.in);
        }
        set heads = read_inbox(inbox), bidding = m_b.va, speculative = 0;
        if (!rc()) {
            bidding |= heads;
            heads = 0;
        }
        set again = heads | m_b.va_next, ready = ready_for_switch(), won = 0;
        bids asked;
        if (bidding != 0) {
            reload();
            won = allocate_vcs(bidding, asked, speculative);
            reload();
            bidding ^= won;
            if (won != 0) {
                // What gets a VC in this cycle bids in the next one, unless VA takes no time. A head that
                // lost to another tries again; one for which no VC is free sleeps until one is.
                m_b.active |= won;
                if (!va()) ready = ready_for_switch();
                if (bidding != 0) again |= bidding;
            }
        }
        m_b.va = bidding | again;
        set released = 0;
        if constexpr (!Polled) {
            if (leaving.out != 0) again |= m_b.va;
            released = leave(leaving);
            again |= m_b.behind;
        }
        if constexpr (full) speculative &= ~ready;
        if ((ready | speculative) != 0) {
            const departures gone = allocate_switch(ready, speculative, won, asked);
            m_b.present &= ~gone.emptied;
            m_b.free |= gone.freed;
            if (gone.freed != 0) again |= m_b.va;
            released |= gone.released;
            if (!rc()) {
                m_b.va |= released;
                again |= released;
                released = 0;
            }
        }
        m_b.va_next = released;
        return (again | released | ready_for_switch()) != 0;
    }

  private:
    /// The compiler shall not carry fields across a loop: it has no registers left, so it would put them onto
    /// the stack and fetch them from there.
    static SARE_INLINE void reload() { __asm__ volatile("" : : : "memory"); }

    SARE_INLINE const fast_shape& shape() const { return m_c.around.shape; }
    SARE_INLINE const fast_rules& rules() const { return m_c.rules; }
    SARE_INLINE bool rc() const { return (Polled && !full) || rules().rc; }
    SARE_INLINE bool va() const { return (Polled && !full) || rules().va; }
    SARE_INLINE bool has_room() const { return full && rules().room; }
    SARE_INLINE bool has_atomic() const { return adaptive && rules().atomic; }

    SARE_INLINE set ready_for_switch() const { return m_b.active & m_b.present & ~m_b.starved; }

    /// Gives the heads that have come to the front.
    SARE_INLINE set read_inbox(std::uint64_t* inbox) {
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
            route(i);
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
            m_b.front(i) = word;
            m_b.in(i).count = 1;
            if (!flit::from_word(word).is_head()) continue;
            route(i);
            add_member(heads, i);
        }
        return heads;
    }

    /// What was foreseen for this cycle: the buffers are empty and the output VCs free, once SA is over.
    /// Gives the VCs in which another packet comes to the front.
    SARE_INLINE set leave(const typename block::passage& foreseen) {
        const set more = foreseen.in & m_b.behind;
        m_b.leave({foreseen.in & ~more, foreseen.out});
        m_b.behind &= ~more;
        for (set rest = more; rest != 0; rest &= rest - 1) {
            const index i = lowest(rest);
            take_front(i);
            route(i);
        }
        return more;
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

    /// Notes which output VCs the packet at the front may have.
    SARE_INLINE void route(index i) const {
        const std::uint64_t word = m_b.front(i);
        if constexpr (Polled) {
            const flit head = flit::from_word(word);
            m_b.in(i).want =
                static_cast<set>(m_c.wants[m_b.routes[adaptive ? m_c.entry(i >> S, head) : head.sequence]]);
            if constexpr (full)
                if (rules().room)
                    m_b.need[i] = static_cast<std::uint8_t>(m_c.around.packets[head.packet].flits);
        } else {
            const auto route = link_side<S, N>(m_c, m_b).route_of(i, word);
            m_b.in(i).want = route.want;
            m_b.front(i) = route.word;
        }
    }

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
        if ((adaptive || !Polled) && open != 0 && rules().adaptive)
            open = select_candidate(shape(), m_b, static_cast<std::uint32_t>(m_c.now), i, open);
        return open;
    }

    /// Head i finds credits enough behind output VC o.
    SARE_INLINE bool has_credits(index i, index o) const {
        if constexpr (full)
            if (rules().room) return m_b.credits(o) >= m_b.need[i];
        return is_member(m_b.stocked, o);
    }
    SARE_INLINE bool has_credits_for_any(index i, set open) const {
        if (!rules().room) return (open & m_b.stocked) != 0;
        for (; open != 0; open &= open - 1)
            if (has_credits(i, lowest(open))) return true;
        return false;
    }

    /// Gives the winners. `speculative`: heads that ask for the switch as well, in the hope that VA gives
    /// them one of `asked`.
    SARE_INLINE set allocate_vcs(set bidding, bids& asked, set& speculative) {
        if constexpr (full)
            if (rules().va_allocator != compiled_allocator::input_first || rules().speculative)
                return allocate_asked(bidding, asked, speculative);
        return allocate_input_first(bidding, [this](index i) { return find_open(i); });
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
            if (!is_member(asked, o)) {
                owner_before[o] = m_b.owner(o);
            } else {
                const index last = owner_before[o], leads = m_b.owner(o);
                if (!(leads <= last && i > last)) continue;
                m_b.in(leads).out = turn_before[o];
                m_b.starved &= ~one(leads);
                remove_member(won, leads);
            }
            add_member(asked, o);
            add_member(won, i);
            turn_before[o] = turn;
            m_b.owner(o) = static_cast<std::uint8_t>(i);
            c.out = static_cast<std::uint8_t>(o);
            if (!(has_room() ? has_credits(i, o) : is_member(stocked, o))) m_b.starved |= one(i);
        }
        m_b.free = free & ~asked;
        return won;
    }

    /// Among two ports, where the first has the higher number and the last served was that of `last`.
    static SARE_INLINE bool comes_before(index i, std::uint32_t other, std::uint32_t last) {
        return other >> S <= last >> S && i >> S > last >> S;
    }

    /// The compiler shall not compute with bytes: it would widen the result again.
    static SARE_INLINE index whole(index byte) {
        __asm__("" : "+r"(byte));
        return byte;
    }

    /// What the flits that leave in a cycle leave behind: input VCs that are empty, or have another packet at
    /// the front; output VCs that are free again.
    struct departures {
        set emptied = 0, released = 0, freed = 0;
    };

    SARE_INLINE departures allocate_switch(set ready, set speculative, set won, const bids& asked) const {
        if (__builtin_expect(is_nonzero(m_b.odd), 0))
            return allocate_odd_switch(m_c, m_b, ready, speculative, won, asked);
        return allocate<false>(ready, speculative, won, asked);
    }
    /// No member: the address of a step must not be known to others, or it would not stay in registers.
    static __attribute__((noinline)) departures allocate_odd_switch(const fast_cycle<S, N, Polled>& cycle,
                                                                    block& b, set ready, set speculative,
                                                                    set won, const bids& asked) {
        return fast_step(cycle, b).template allocate<true>(ready, speculative, won, asked);
    }
    /// `Odd`: see odd_port.
    template <bool Odd>
    SARE_INLINE departures allocate(set ready, set speculative, set won, const bids& asked) const {
        if constexpr (full)
            if (!rules().usual_switch) return allocate_any_switch<Odd>(ready, speculative, won, asked);
        return allocate_usual_switch<Odd>(ready);
    }

    /// A speculative head goes only where no other wants the input or the output, and if VA has given it a VC
    /// with credits.
    template <bool Odd>
    SARE_INLINE departures allocate_any_switch(set ready, set speculative, set won, const bids& asked) const {
        m_c.flits[0] = m_c.credits[0] = 1;
        departures gone;
        set granted = 0;
        if (ready != 0) {
            const auto to = [this](index i) { return whole(m_b.in(i).out) >> S; };
            fast_switch_allocation<S, N, decltype(to)> sa(shape(), m_c.after, m_b.turns[0], to);
            granted = sa.allocate(ready, m_c.now);
        }
        if (speculative != 0) {
            std::uint64_t inputs = 0, outputs = 0;
            for (set rest = granted; rest != 0; rest &= rest - 1) {
                add_member(inputs, shape().crossbar_input(lowest(rest) >> S, lowest(rest) & vc_mask));
                add_member(outputs, m_b.in(lowest(rest)).out >> S);
            }
            const auto to = [&asked](index i) { return lowest(asked.open[i]) >> S; };
            fast_switch_allocation<S, N, decltype(to)> sa(shape(), m_c.after, m_b.turns[1], to);
            for (set rest = sa.allocate(speculative, m_c.now) & won & ~m_b.starved; rest != 0;
                 rest &= rest - 1) {
                const index i = lowest(rest);
                if (!is_member(inputs, shape().crossbar_input(i >> S, i & vc_mask)) &&
                    !is_member(outputs, to(i)))
                    add_member(granted, i);
            }
        }
        for (; granted != 0; granted &= granted - 1) {
            const index i = lowest(granted);
            send<Odd>(i, whole(m_b.in(i).out) >> S, gone);
        }
        return gone;
    }

    template <bool Odd>
    SARE_INLINE departures allocate_usual_switch(set ready) const {
        std::uint32_t asked = 0;
        std::uint8_t winner[block::max_ports];
        for (;;) {
            index i = lowest(ready);
            const set mine = ready & (port_mask << (i & ~index{vc_mask}));
            if ((mine & (mine - 1)) != 0) i = m_c.after.pick(mine, m_b.sa_vc(i >> S) & vc_mask);
            const index y = whole(m_b.in(i).out) >> S;
            if (!is_member(asked, y) || comes_before(i, winner[y], m_b.sa_column(y))) {
                add_member(asked, y);
                winner[y] = static_cast<std::uint8_t>(i);
            }
            ready ^= mine;
            if (ready == 0) break;
        }
        reload();
        if (Polled) m_c.flits[0] = m_c.credits[0] = 1;
        departures gone;
        for (; asked != 0; asked &= asked - 1) {
            const index y = lowest(asked), i = winner[y];
            m_b.sa_column(y) = static_cast<std::uint8_t>(i);
            m_b.sa_vc(i >> S) = static_cast<std::uint8_t>(i);
            send<Odd>(i, y, gone);
        }
        reload();
        return gone;
    }

    template <bool Odd>
    SARE_INLINE void send(index i, index out_port, departures& gone) const {
        const index o = m_b.in(i).out, in_port = i >> S;
        const std::uint64_t word = m_b.front(i);
        const bool tail = flit::from_word(word).is_tail();
        if constexpr (Polled) {
            ++m_b.sent(o);
            if constexpr (Odd) {
                odd_ports<S, N, false>::put(m_c.around, m_b, i, o, word, m_c.now);
            } else {
                m_c.flits[m_b.flit_at[out_port]] = word;
                m_c.flits[m_b.flit_inbox[out_port]] |= m_b.flit_bit[o];
                m_c.credits[m_b.credit_inbox[in_port]] |= m_b.credit_bit[i];
            }
            if (__builtin_expect(falls_to_zero(m_b.credits(o)), 0)) {
                reload();
                m_b.stocked &= ~one(o);
                if (!tail) m_b.starved |= one(i);
            }
        } else {
            const link_side<S, N> router(m_c, m_b);
            if constexpr (Odd) {
                odd_ports<S, N, true>::put(m_c.around, m_b, i, o, word, m_c.time);
            } else {
                router.put_flit(m_c.flits, o, word);
                router.put_credit(m_c.credits, i, m_c.now + m_c.credit_delay);
            }
            if (router.spend(o) && !tail) m_b.starved |= one(i);
        }
        if (tail) {
            remove_member(m_b.active, i);
            if (has_atomic())
                m_b.draining |= one(o);
            else
                add_member(gone.freed, o);
        }
        bool present = take_front(i);
        if constexpr (full)
            if (rules().whole) present = !tail || --m_b.tails[i] != 0;
        if (!present) {
            add_member(gone.emptied, i);
        } else if (tail) {
            route(i);
            add_member(gone.released, i);
        }
    }

    /// True if there is another flit behind.
    SARE_INLINE bool take_front(index i) const {
        input& c = m_b.in(i);
        if (--c.count == 0) {
            c.head = 0;
            return false;
        }
        const std::uint32_t place = c.head + 1u == m_c.depth ? 0 : c.head + 1u;
        c.head = static_cast<std::uint8_t>(place);
        m_b.front(i) = m_c.buffered(m_b, place, i).as_word();
        return true;
    }

    const fast_cycle<S, N, Polled>& m_c;
    block& m_b;
};

/// Polled ones: those whose bits are set in `awake`.
template <int S, int N, fast_variety Variety>
SARE_INLINE void step_words(const fast_surroundings<S, N, false>& around, std::uint64_t* awake,
                            std::uint32_t words, cycle_t t) {
    const fast_cycle<S, N, true> cycle(around, t);
    for (std::uint32_t w = 0; w < words; ++w) {
        std::uint64_t rest = awake[w], again = 0;
        if (rest == 0) continue;
        awake[w] = 0;
        for (; rest != 0; rest &= rest - 1) {
            const std::uint64_t k = w * 64 + lowest(rest);
            if (fast_step<S, N, true, Variety>(cycle, cycle.block_of(k)).run(cycle.inbox_of(k)))
                again |= rest & (0 - rest);
        }
        if (again == 0) continue;
        cycle.next[0] = 1;
        cycle.next[cycle.first_word + w] |= again;
    }
}

/// All others; where they are fetched ahead there are prefetch_distance numbers more behind the list. `step`:
/// of those that have more to do than fast_passage takes. A call, for what is inlined here shall have the
/// registers.
template <int S, int N, class Step>
SARE_INLINE void step_list(const fast_cycle<S, N, false>& cycle, const std::uint32_t* list, std::size_t n,
                           Step step) {
    fast_prefetch<S, N> ahead(cycle, list, n);
    for (std::size_t j = 0; j < n; ++j) {
        if (cycle.prefetches) ahead.advance(list + j);
        const std::uint32_t k = list[j];
        fast_block<S, N, true>& b = cycle.block_of(k);
        std::uint64_t* const inbox = cycle.inbox_of(k);
        if (cycle.foresees && fast_passage<S, N>(cycle, b).run(inbox)) continue;
        if (step(cycle, b, inbox)) cycle.call_again(k);
    }
}

template <int S, int N>
__attribute__((noinline)) bool step_listed(const fast_cycle<S, N, false>& cycle, fast_block<S, N, true>& b,
                                           std::uint64_t* inbox) {
    return fast_step<S, N, false, fast_variety::basic>(cycle, b).run(inbox);
}
template <int S, int N>
__attribute__((noinline)) SARE_BIT_INSTRUCTIONS bool step_listed_with_bits(
    const fast_cycle<S, N, false>& cycle, fast_block<S, N, true>& b, std::uint64_t* inbox) {
    return fast_step<S, N, false, fast_variety::basic>(cycle, b).run(inbox);
}

/// Of any variety: processors without those instructions are too rare for one each.
template <int S, int N>
void step_usual(const fast_surroundings<S, N, false>& around, std::uint64_t* awake, std::uint32_t words,
                cycle_t t) {
    step_words<S, N, fast_variety::full>(around, awake, words, t);
}
template <int S, int N>
void step_many(const fast_cycle<S, N, false>& cycle, const std::uint32_t* list, std::size_t n) {
    step_list<S, N>(cycle, list, n, step_listed<S, N>);
}
/// The same code with instructions for sets of bits, a tenth fewer in all; for processors that have them.
template <int S, int N, fast_variety Variety>
SARE_BIT_INSTRUCTIONS void step_usual_with_bits(const fast_surroundings<S, N, false>& around,
                                                std::uint64_t* awake, std::uint32_t words, cycle_t t) {
    step_words<S, N, Variety>(around, awake, words, t);
}
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_many_with_bits(const fast_cycle<S, N, false>& cycle,
                                               const std::uint32_t* list, std::size_t n) {
    step_list<S, N>(cycle, list, n, step_listed_with_bits<S, N>);
}

}  // namespace sare
