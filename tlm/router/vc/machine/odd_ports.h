// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/stage.h"

namespace sare {

/// Sends flits and credits by wires with all their properties (`wire` and `wire_extras`), from vc_shape::odd:
/// in wide routers, routers with output queues, and routers with an irregular port (odd_port). The rest need
/// not pay for it. Template parameters: as in vc_block.
template <int S, int N, bool InList>
class odd_ports {
    using block = vc_block<S, N, InList>;
    using surroundings = vc_surroundings<S, N, InList>;

  public:
    /// Sends the flit `word` from input VC i by output VC o, through the output queue if the routers have
    /// queues, and sends the credit for its place back. `s`: the vc_stage that runs.
    template <class Stage>
    static __attribute__((noinline)) void put(const Stage& s, std::uint64_t i, std::uint64_t o,
                                              std::uint64_t word) {
        const surroundings& around = s.m_c.around;
        block& b = s.m_b;
        const odd_port* const ports = &around.shape.odd[b.odd - 1];
        const odd_port &out = ports[s.port_of(o)], &in = ports[s.port_of(i)];
        const auto vc = static_cast<std::uint32_t>(s.vc_of(o)),
                   in_vc = static_cast<std::uint32_t>(s.vc_of(i));
        flit::set_vc(word, vc);
        if constexpr (InList || Stage::carried)
            if (!out.flits_extras.in_table) word = end_of_way(around, word);
        if constexpr (InList) {
            const cycle_t t = s.m_c.time;
            around.ring.put_flit(out.flits, word, vc, t);
            credit_account& account = b.input_at(i).account;
            if (account.is_open()) return account.give(static_cast<std::uint32_t>(t + in.credits.delay));
            around.ring.put_credit(in.credits, in.credits_extras, in_vc, t);
        } else {
            put_flit(s, out, o, word);
            put_credit(s, in, i);
        }
    }
    /// Sends the flit `word`, whose flit::vc is set, by output VC o of port `out`, through the output queue
    /// if the routers have queues. Not for listed routers.
    template <class Stage>
    static SARE_INLINE void put_flit(const Stage& s, const odd_port& out, std::uint64_t o,
                                     std::uint64_t word) {
        const surroundings& around = s.m_c.around;
        const bool queued = Stage::full && around.shape.queued_links;
        around.ring.put_flit(out.flits, word, static_cast<std::uint32_t>(s.vc_of(o)),
                             queued ? leave_queue(s, out, s.port_of(o)) : s.m_c.now);
    }
    /// Sends back the credit for a place in input VC i of port `in`. Not for listed routers.
    template <class Stage>
    static SARE_INLINE void put_credit(const Stage& s, const odd_port& in, std::uint64_t i) {
        s.m_c.around.ring.put_credit(in.credits, in.credits_extras, static_cast<std::uint32_t>(s.vc_of(i)),
                                     s.m_c.now);
    }

  private:
    /// Returns the flit `word` without the route that a head carries, since the block at the other end of the
    /// link reads no routes from heads. Subtracts the routers ahead, for which the route would have held,
    /// from packet::hops.
    static std::uint64_t end_of_way(const surroundings& around, std::uint64_t word) {
        const flit f = flit::from_word(word);
        if (around.shape.keyed || !f.is_head()) return word;
        packet& p = around.packets[f.packet];
        p.hops = static_cast<std::uint16_t>(p.hops - packed_route<S, N>::routers(word));
        return packed_route<S, N>::pack(word, 0, 0, 0);
    }

    /// Returns the number of cycles that a flit granted now waits for the crossbar: 0 unless the crossbar
    /// takes several cycles and is not pipelined. Such a crossbar moves flits in batches: a flit that is
    /// granted while a batch is under way goes with the next batch.
    template <class Stage>
    static cycle_t wait_for_crossbar(const Stage& s) {
        const std::uint32_t length = s.shape().params.st_delay;
        if (s.shape().params.pipelined || length <= 1) return 0;
        cycle_t& start = s.m_b.st_start;
        const cycle_t t = s.m_c.now;
        if (t >= start + length)
            start = t;
        else if (t > start)
            start += length;
        return start - t;
    }
    /// Puts a flit into the output queue of port `port`, where it waits for crossbar and link, and wakes the
    /// link if the link sleeps. Returns the cycle in which the flit goes onto the link.
    template <class Stage>
    static cycle_t leave_queue(const Stage& s, const odd_port& out, std::uint64_t port) {
        if constexpr (Stage::full) {
            const cycle_t t = s.m_c.now, ready = t + wait_for_crossbar(s);
            cycle_t& next = s.m_b.next_slot[port];
            cycle_t start = next > ready ? next : ready;
            const wire_extras& x = out.flits_extras;
            if (x.sleeps != 0) {
                link_sleep& link = s.m_c.around.net.sleeper(x.sleeps - 1U);
                start = link.ready(t, start);
                link.carry(start, x.cycles_per_flit);
            }
            next = start + x.cycles_per_flit;
            return start;
        }
        return s.m_c.now;
    }
};

}  // namespace sare
