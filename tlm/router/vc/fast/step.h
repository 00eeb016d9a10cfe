// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/fast/odd_ports.h"
#include "tlm/router/vc/fast/passage.h"
#include "tlm/router/vc/fast/prefetch.h"

/// One cycle of a fast router (see fast_block): the same machine as ../step.h, written for the number
/// of instructions. Numbers of VCs are port << S | vc throughout. What a loop adds to a set it gathers in a
/// local one, so that it stays in a register: a store through a pointer would force it to memory and back.
namespace sare {

/// `Selective`: there may be several ways on, or output VCs that wait for what they led to.
template <int S, int N, bool Usual, bool Selective>
class fast_step {
    using block = fast_block<S, N, !Usual>;
    using set = typename block::set;
    using input = typename block::input;
    using index = std::uint64_t;  ///< as registers are: a narrower one would have to be widened
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    static constexpr set port_mask = (set{1} << (1 << S)) - 1;  ///< VCs of port 0
    static set one(std::uint64_t i) { return set{1} << i; }

  public:
    SARE_INLINE fast_step(const fast_cycle<S, N, Usual>& cycle, block& b) : m_c(cycle), m_b(b) {}

    /// True if there is something to do in the next cycle.
    SARE_INLINE bool run(std::uint64_t* inbox) {
        typename block::passage leaving;  // as foreseen
        if constexpr (!Usual) {
            leaving = m_b.leaving(m_c.now);
            const auto arrived = static_cast<set>(inbox[0] >> block::arrivals_at);
            m_b.behind |= arrived & m_b.present & (leaving.in | m_b.soon.in);
        }
        set heads = read_inbox(inbox), bids = m_b.va;
        if (!m_c.rc) {
            bids |= heads;
            heads = 0;
        }
        set again = heads | m_b.va_next, ready = ready_for_switch();
        if (bids != 0) {
            reload();
            const set won = allocate_vcs(bids);
            reload();
            bids ^= won;
            if (won != 0) {
                // What gets a VC in this cycle bids in the next one, unless VA takes no time. A head that
                // lost to another tries again; one for which no VC is free sleeps until one is.
                m_b.active |= won;
                if (!m_c.va) ready = ready_for_switch();
                if (bids != 0) again |= bids;
            }
        }
        m_b.va = bids | again;
        set released = 0;
        if constexpr (!Usual) {
            if (leaving.out != 0) again |= m_b.va;
            released = leave(leaving);
            again |= m_b.behind;
        }
        if (ready != 0 && allocate_switch(ready, released)) {
            again |= m_b.va;
            if (!m_c.rc) {
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

    SARE_INLINE set ready_for_switch() const { return m_b.active & m_b.present & ~m_b.starved; }

    /// Gives the heads that have come to the front.
    SARE_INLINE set read_inbox(std::uint64_t* inbox) {
        const std::uint64_t word = inbox[0];
        if (!Usual && word == 0 && N <= 32) return 0;
        inbox[0] = 0;
        auto credits = static_cast<set>(word);
        if constexpr (N > 32) {
            credits = inbox[1];
            inbox[1] = 0;
        }
        if (credits != 0) take_credits(credits);
        const auto arrived = static_cast<set>(word >> block::arrivals_at);
        return arrived == 0 ? 0 : take_flits(arrived, m_c.here + m_b.flits_at);
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
            m_b.front[i] = word;
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
        if constexpr (Usual) {
            const set draining = Selective ? m_b.draining & credits : 0;
            m_b.feed(credits, m_b.free | draining);
            for (; credits != 0; credits &= credits - 1) ++m_b.credits(lowest(credits));
            if (Selective) free_drained(draining);
        } else {
            link_side<S, N>(m_c, m_b).take_credits(credits);
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
        m_b.buffer[place * m_c.in_vcs + i] = flit::from_word(word);
    }

    /// Notes which output VCs the packet at the front may have.
    SARE_INLINE void route(index i) {
        const std::uint64_t word = m_b.front[i];
        if constexpr (Usual) {
            m_b.in(i).want = static_cast<set>(m_c.wants[m_b.routes[flit::from_word(word).sequence]]);
        } else {
            const auto route = link_side<S, N>(m_c, m_b).route_of(i, word);
            m_b.in(i).want = route.want;
            m_b.front[i] = route.word;
        }
    }

    /// Of the open output VCs of several ways, those of the way that is taken: one of the escape only when no
    /// other has any.
    static __attribute__((noinline)) set select_way(const fast_shape& shape, const block& b,
                                                    std::uint32_t now, index i, set open) {
        const fast_ways& ways = shape.ways[b.routes[flit::from_word(b.front[i]).sequence]];
        const bool escapes = (open & ways.adaptive) == 0;
        const std::uint64_t* const masks = &shape.masks[ways.first];
        set best = 0;
        std::uint32_t most = 0;
        for (std::uint32_t n = escapes ? ways.escape : 0; n < (escapes ? ways.size : ways.escape); ++n) {
            const set part = open & static_cast<set>(masks[n]);
            if (part == 0) continue;
            if (!shape.by_credits) return part;
            std::uint32_t credits = 0;
            for (set rest = part; rest != 0; rest &= rest - 1) credits += b.credits_at(lowest(rest), now);
            if (best != 0 && credits <= most) continue;
            best = part;
            most = credits;
        }
        return best;
    }

    /// Separable, input first. The first to ask for an output VC gets it at once; a later request takes it
    /// away if round robin, which starts after the one served last, meets it first. Gives the winners.
    SARE_INLINE set allocate_vcs(set bids) {
        const set free = m_b.free, stocked = m_b.stocked;
        set asked = 0, won = 0;
        std::uint8_t owner_before[N], turn_before[N];
        for (; bids != 0; bids &= bids - 1) {
            const index i = lowest(bids);
            input& c = m_b.in(i);
            set open = free & c.want;
            if (open == 0) continue;
            if (Selective && m_c.around.shape.adaptive)
                open = select_way(m_c.around.shape, m_b, static_cast<std::uint32_t>(m_c.now), i, open);
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
            if (!is_member(stocked, o)) m_b.starved |= one(i);
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

    /// True if a VC was given back.
    SARE_INLINE bool allocate_switch(set ready, set& released) {
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
        if (Usual) m_c.flits[0] = m_c.credits[0] = 1;
        set emptied = 0, freed = 0;
        for (; asked != 0; asked &= asked - 1) {
            const index y = lowest(asked), i = winner[y];
            m_b.sa_column(y) = static_cast<std::uint8_t>(i);
            m_b.sa_vc(i >> S) = static_cast<std::uint8_t>(i);
            send(i, y, emptied, freed, released);
        }
        reload();
        m_b.present &= ~emptied;
        m_b.free |= freed;
        return freed != 0;
    }

    SARE_INLINE void send(index i, index out_port, set& emptied, set& freed, set& released) {
        const index o = m_b.in(i).out, in_port = i >> S;
        const std::uint64_t word = m_b.front[i];
        if constexpr (Usual) {
            ++m_b.sent(o);
            if (__builtin_expect(m_b.odd != 0, 0)) {
                odd_ports<S, N, false>::put(m_c.around, m_b, i, o, word, m_c.now);
            } else {
                m_c.flits[m_b.flit_at[out_port]] = word;
                m_c.flits[m_b.flit_inbox[out_port]] |= m_b.flit_bit[o];
                m_c.credits[m_b.credit_inbox[in_port]] |= m_b.credit_bit[i];
            }
            if (__builtin_expect(--m_b.credits(o) == 0, 0)) {
                reload();
                m_b.stocked &= ~one(o);
                if (!flit::from_word(word).is_tail()) m_b.starved |= one(i);
            }
        } else {
            const link_side<S, N> router(m_c, m_b);
            if (__builtin_expect(m_b.odd != 0, 0)) {
                odd_ports<S, N, true>::put(m_c.around, m_b, i, o, word, m_c.time);
            } else {
                router.put_flit(m_c.flits, o, word);
                router.put_credit(m_c.credits, i, m_c.now + m_c.credit_delay);
            }
            if (router.spend(o) && !flit::from_word(word).is_tail()) m_b.starved |= one(i);
        }
        const bool tail = flit::from_word(word).is_tail();
        if (tail) {
            m_b.active &= ~one(i);
            if (Usual && Selective && m_c.around.shape.atomic)
                m_b.draining |= one(o);
            else
                add_member(freed, o);
        }
        if (!take_front(i)) {
            add_member(emptied, i);
        } else if (tail) {
            route(i);
            add_member(released, i);
        }
    }

    /// True if there is another flit behind.
    SARE_INLINE bool take_front(index i) {
        input& c = m_b.in(i);
        if (--c.count == 0) {
            c.head = 0;
            return false;
        }
        const std::uint32_t place = c.head + 1u == m_c.depth ? 0 : c.head + 1u;
        c.head = static_cast<std::uint8_t>(place);
        m_b.front[i] = m_b.buffer[place * m_c.in_vcs + i].as_word();
        return true;
    }

    const fast_cycle<S, N, Usual>& m_c;
    block& m_b;
};

/// Usual ones: those whose bits are set in `awake`.
template <int S, int N, bool Selective>
SARE_INLINE void step_words(const fast_surroundings<S, N, false>& around, std::uint64_t* awake,
                            std::uint32_t words, cycle_t t) {
    const fast_cycle<S, N, true> cycle(around, t);
    for (std::uint32_t w = 0; w < words; ++w) {
        std::uint64_t rest = awake[w], again = 0;
        if (rest == 0) continue;
        awake[w] = 0;
        for (; rest != 0; rest &= rest - 1) {
            const std::uint64_t k = w * 64 + lowest(rest);
            if (fast_step<S, N, true, Selective>(cycle, cycle.block_of(k)).run(cycle.inbox_of(k)))
                again |= rest & (0 - rest);
        }
        if (again == 0) continue;
        cycle.next[0] = 1;
        cycle.next[cycle.first_word + w] |= again;
    }
}

/// All others; behind the list there are prefetch_distance numbers more. `step`: of those that have more to
/// do than fast_passage takes. A call, for what is inlined here shall have the registers.
template <int S, int N, class Step>
SARE_INLINE void step_list(const fast_surroundings<S, N, true>& around, const std::uint32_t* list,
                           std::size_t n, cycle_t t, Step step) {
    const fast_cycle<S, N, false> cycle(around, t);
    const fast_prefetch<S, N> ahead(cycle, list);
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
    return fast_step<S, N, false, true>(cycle, b).run(inbox);
}
template <int S, int N>
__attribute__((noinline)) SARE_BIT_INSTRUCTIONS bool step_listed_with_bits(
    const fast_cycle<S, N, false>& cycle, fast_block<S, N, true>& b, std::uint64_t* inbox) {
    return fast_step<S, N, false, true>(cycle, b).run(inbox);
}

template <int S, int N, bool Selective>
void step_usual(const fast_surroundings<S, N, false>& around, std::uint64_t* awake, std::uint32_t words,
                cycle_t t) {
    step_words<S, N, Selective>(around, awake, words, t);
}
template <int S, int N>
void step_many(const fast_surroundings<S, N, true>& around, const std::uint32_t* list, std::size_t n,
               cycle_t t) {
    step_list<S, N>(around, list, n, t, step_listed<S, N>);
}
/// The same code with instructions for sets of bits, a tenth fewer in all; for processors that have them.
template <int S, int N, bool Selective>
SARE_BIT_INSTRUCTIONS void step_usual_with_bits(const fast_surroundings<S, N, false>& around,
                                                std::uint64_t* awake, std::uint32_t words, cycle_t t) {
    step_words<S, N, Selective>(around, awake, words, t);
}
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_many_with_bits(const fast_surroundings<S, N, true>& around,
                                               const std::uint32_t* list, std::size_t n, cycle_t t) {
    step_list<S, N>(around, list, n, t, step_listed_with_bits<S, N>);
}

}  // namespace sare
