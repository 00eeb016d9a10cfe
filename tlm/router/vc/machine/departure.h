// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/odd_ports.h"
#include "tlm/router/vc/machine/stage.h"

namespace sare {

/// Switch traversal: sends a flit that has won SA, sends its credit back, and updates the sets of the router.
/// Base of vc_switch_allocation. Template parameters: as in vc_stage.
template <int S, int N, bool Polled, vc_features Has>
class vc_departures : public vc_stage<S, N, Polled, Has> {
  protected:
    using stage = vc_stage<S, N, Polled, Has>;
    using stage::at_once;
    using stage::compiler_barrier;
    using stage::full;
    using stage::has_atomic;
    using stage::m_b;
    using stage::m_c;
    using stage::one;
    using stage::port_of;
    using stage::route;
    using stage::rules;
    using stage::take_front;
    using typename stage::block;
    using typename stage::index;
    using typename stage::input;
    using typename stage::set;

  public:
    using stage::stage;

    /// Effects of the flits that leave in a cycle. `released`: input VCs with another packet at the front;
    /// `freed`: output VCs that are free again. Both count from the next cycle on, so the caller applies them
    /// at the end of the cycle.
    struct left_behind {
        set released = {}, freed = {};
    };

    /// Sends the front flit of input VC i by the output VC that its packet has, which is at port `out_port`,
    /// and adds the effects to `gone`. `Odd`: true for a router with entries in vc_shape::odd, which sends by
    /// odd_ports.
    template <bool Odd>
    SARE_INLINE void send(index i, index out_port, left_behind& gone) const {
        auto& from = at_once(m_b.input_at(i));
        const index o = from.out, in_port = port_of(i);
        const std::uint64_t word = m_b.front(i);
        const bool tail = flit::from_word(word).is_tail();
        if constexpr (full) this->count_event(router_event::sa_grant, out_port);
        if constexpr (Polled) {
            ++m_b.sent(o);
            if constexpr (Odd || stage::wide) {
                odd_ports<S, N, false>::put(static_cast<const stage&>(*this), i, o, word);
            } else {
                m_c.flits[m_b.flit_at[out_port]] = word;
                m_c.flits[m_b.flit_inbox[out_port]] |= flit_bit(out_port, o);
                m_c.credits[m_b.credit_inbox[in_port]] |= credit_bit(in_port, i);
            }
            bool takes_pool = false;
            if constexpr (stage::wide)
                takes_pool = rules().pools && (m_b.pool_beyond[out_port] != 0 ||
                                               stage::gate_of(m_c, m_b, out_port) != nullptr);
            if (takes_pool) {
                take_place(m_c, m_b, o, tail ? gone.freed | one(o) : gone.freed);
            } else if (__builtin_expect(falls_to_zero(m_b.credits(o)), 0)) {
                compiler_barrier();
                m_b.stocked &= ~one(o);
                if (!tail) m_b.starved |= one(i);
            }
        } else {
            const link_side<S, N> router(m_c, m_b);
            auto& to = at_once(m_b.at_port(out_port).out);
            if constexpr (Odd) {
                odd_ports<S, N, true>::put(static_cast<const stage&>(*this), i, o, word);
            } else {
                router.put_flit(m_c.flits, to, o & block::vc_mask, word);
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
        advance(i, from, tail, gone);
        if constexpr (full) end_flit(i, tail);
    }

  protected:
    /// Takes the front flit out of input VC i, whose state is `from`. `tail`: true if the flit is a tail;
    /// then RC of the next packet is done, and i is added to gone.released.
    SARE_INLINE void advance(index i, input& from, bool tail, left_behind& gone) const {
        bool present = take_front(i, from);
        if constexpr (full)
            if (present && !tail) this->note_front(i, m_c.now + 1);
        if constexpr (stage::tracks_packets)
            if (rules().whole) present = !tail || --m_b.tails[i] != 0;
        if (!present) {
            remove_member(m_b.present, i);
        } else if (tail) {
            route(i, from);
            add_member(gone.released, i);
        }
    }
    /// Updates the state that only vc_features::all has when a flit of member `i` of `active` has left.
    /// `tail`: true if the flit is a tail.
    SARE_INLINE void end_flit(index i, bool tail) const {
        if (tail) {
            if (rules().speculative && rules().va != 0) this->end_of_stage(rules().va).active &= ~one(i);
            return;
        }
        if (rules().sa <= 1) return;
        add_member(m_b.busy, i);
        add_member(this->end_of_stage(rules().sa).idle, i);
        this->wake_after(rules().sa);
    }

  private:
    /// Takes a place, for a flit of output VC o, at the other end of its port, where VCs share the buffer or
    /// pause. If that leaves VCs of the port without credits, the packets that have these VCs are starved;
    /// where VCs pause, credits never run out. `freed`: output VCs that packets have left in this cycle.
    static __attribute__((noinline)) void take_place([[maybe_unused]] const typename stage::cycle& c,
                                                     [[maybe_unused]] block& b, [[maybe_unused]] index o,
                                                     [[maybe_unused]] set freed) {
        if constexpr (stage::wide) {
            const stage s(c, b);
            const index port = s.port_of(o), first = s.number(port, 0);
            if (pause_gate* gate = stage::gate_of(c, b, port)) {
                gate->leaves(static_cast<std::uint32_t>(o - first));
                if (b.pool_beyond[port] == 0)
                    --b.credits(o);
                else
                    stage::hold(c, b, o, 1);
                return;
            }
            set all = {};
            add_slice(all, first, first_vcs(s.shape().vcs));
            const set dry = all & ~stage::hold(c, b, o, 1);
            for (const index v : members(dry & ~b.free & ~freed)) add_member(b.starved, b.owner(v));
        }
    }
    /// Returns the mask of the bit that a flit for output VC o, at port `port`, sets in the reader's inbox.
    SARE_INLINE std::uint64_t flit_bit(index port, index o) const {
        if constexpr (!stage::carried) return m_b.flit_bit[o];
        return std::uint64_t{1} << (m_b.flit_place[port] + (o & block::vc_mask));
    }
    /// Returns the mask of the bit that a credit for input VC i, at port `port`, sets in the sender's inbox.
    SARE_INLINE std::uint64_t credit_bit(index port, index i) const {
        if constexpr (!stage::carried) return m_b.credit_bit[i];
        return std::uint64_t{1} << (m_b.credit_place[port] + (i & block::vc_mask));
    }
};

}  // namespace sare
