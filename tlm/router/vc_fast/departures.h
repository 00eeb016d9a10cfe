// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/odd_ports.h"
#include "tlm/router/vc_fast/stage.h"
#include "tlm/router/vc_fast/switch_allocation.h"
#include "tlm/router/vc_fast/vc_allocation.h"

namespace sare {

/// The switch is allocated, and flits leave.
template <int S, int N, bool Polled, fast_variety Variety>
class fast_departures : fast_stage<S, N, Polled, Variety> {
    using stage = fast_stage<S, N, Polled, Variety>;
    using typename stage::block;
    using typename stage::index;
    using typename stage::set;
    using bids = fast_bids<S, N>;
    static constexpr set port_mask = (set{1} << (1 << S)) - 1;  ///< VCs of port 0
    using stage::at_once;
    using stage::full;
    using stage::has_atomic;
    using stage::m_b;
    using stage::m_c;
    using stage::one;
    using stage::reload;
    using stage::route;
    using stage::rules;
    using stage::shape;
    using stage::take_front;
    using stage::vc_mask;
    using stage::whole;

  public:
    using stage::stage;

    /// What the flits that leave in a cycle leave behind: input VCs that are empty, or have another packet at
    /// the front; output VCs that are free again.
    struct left_behind {
        set emptied = 0, released = 0, freed = 0;
    };

    SARE_INLINE left_behind allocate(set ready, set speculative, set won, const bids& asked) const {
        if (__builtin_expect(is_nonzero(m_b.odd), 0))
            return allocate_odd_switch(m_c, m_b, ready, speculative, won, asked);
        return allocate_from<false>(ready, speculative, won, asked);
    }

  private:
    /// No member: the address of a step must not be known to others, or it would not stay in registers.
    static __attribute__((noinline)) left_behind allocate_odd_switch(const fast_cycle<S, N, Polled>& cycle,
                                                                     block& b, set ready, set speculative,
                                                                     set won, const bids& asked) {
        return fast_departures(cycle, b).template allocate_from<true>(ready, speculative, won, asked);
    }
    /// `Odd`: see odd_port.
    template <bool Odd>
    SARE_INLINE left_behind allocate_from(set ready, set speculative, set won, const bids& asked) const {
        if constexpr (full)
            if (!rules().usual_switch) return allocate_any_switch<Odd>(ready, speculative, won, asked);
        return allocate_usual_switch<Odd>(ready);
    }

    /// A speculative head goes only where no other wants the input or the output, and if VA has given it a VC
    /// with credits.
    template <bool Odd>
    SARE_INLINE left_behind allocate_any_switch(set ready, set speculative, set won,
                                                const bids& asked) const {
        m_c.flits[0] = m_c.credits[0] = 1;
        left_behind gone;
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
    SARE_INLINE left_behind allocate_usual_switch(set ready) const {
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
        left_behind gone;
        for (; asked != 0; asked &= asked - 1) {
            const index y = lowest(asked), i = winner[y];
            m_b.sa_column(y) = static_cast<std::uint8_t>(i);
            m_b.sa_vc(i >> S) = static_cast<std::uint8_t>(i);
            send<Odd>(i, y, gone);
        }
        reload();
        return gone;
    }

    /// Among two ports, where the first has the higher number and the last served was that of `last`.
    static SARE_INLINE bool comes_before(index i, std::uint32_t other, std::uint32_t last) {
        return other >> S <= last >> S && i >> S > last >> S;
    }

    template <bool Odd>
    SARE_INLINE void send(index i, index out_port, left_behind& gone) const {
        auto& from = at_once(m_b.input_at(i));
        const index o = from.out, in_port = i >> S;
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
            auto& to = at_once(m_b.at_port(out_port).out);
            if constexpr (Odd) {
                odd_ports<S, N, true>::put(m_c.around, m_b, i, o, word, m_c.time);
            } else {
                router.put_flit(m_c.flits, to, o & vc_mask, word);
                router.put_credit(m_c.credits, from, i, m_c.now + m_c.credit_delay);
            }
            if (router.spend(to, o) && !tail) m_b.starved |= one(i);
        }
        if (tail) {
            remove_member(m_b.active, i);
            if (has_atomic())
                m_b.draining |= one(o);
            else
                add_member(gone.freed, o);
        }
        bool present = take_front(i, from);
        if constexpr (full)
            if (rules().whole) present = !tail || --m_b.tails[i] != 0;
        if (!present) {
            add_member(gone.emptied, i);
        } else if (tail) {
            route(i, from);
            add_member(gone.released, i);
        }
    }
};

}  // namespace sare
