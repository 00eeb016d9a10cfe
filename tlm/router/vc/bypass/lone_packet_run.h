// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/bypass/router_bypass.h"
#include "tlm/router_api/injection_port.h"

namespace sare {

/// Moves a packet of one flit from router to router, through listed routers of one bank, while nothing else
/// in the network moves. It takes router_bypass in each router, but writes nothing to planes and to lists of
/// awake routers in between, so that a hop takes one call instead of several cycles of the network. S and N:
/// as in vc_block.
template <int S, int N>
class lone_packet_run {
    using cycle = vc_cycle<S, N, false>;
    using block = vc_block<S, N, true>;
    using index = std::uint64_t;

  public:
    /// Begins at router k of the bank, which must be the only router that is awake in cycle `c`. Nothing else
    /// may be on any link, and no NIC may have anything to send. `routers`: number of routers of the bank;
    /// `nics`: takes the credits that go to NICs. `c` and `nics` must outlive this object.
    lone_packet_run(cycle& c, std::uint32_t k, std::uint32_t routers, injection_port& nics)
        : m_c(c), m_k(k), m_routers(routers), m_nics(nics) {}

    /// Runs cycles before cycle `before`. Returns the cycle after the last one that was run; if none was run,
    /// the cycle of `c`, which is then unchanged. Otherwise c.time is set to the cycle in which the flit
    /// arrives at the next router or NIC on its way, or to ~0 if there is no flit.
    cycle_t run(cycle_t before) {
        block& first = m_c.block_of(m_k);
        std::uint64_t* const inbox = m_c.inbox_of(m_k);
        const std::uint64_t come = inbox[0] >> block::arrivals_at;
        const auto credits = static_cast<typename block::set>(inbox[block::inbox_sets - 1]);
        if (come == 0) return take_credits(first, inbox);
        if ((come & (come - 1)) != 0 || credits != 0) return m_c.time;
        index i = lowest(come);
        std::uint64_t& there = m_c.here[first.flits_at + (i >> S)];
        std::uint64_t word = there;
        m_end = m_c.time;
        block* from = nullptr;
        index o = 0;
        while (pass(i, word, o, before)) {
            if (from == nullptr) sleep();
            from = &m_c.block_of(m_k);
            m_c.time += bypass_cycles + m_c.around.shape.flit_delay;
            m_c.now = static_cast<std::uint32_t>(m_c.time);
            if (m_c.time >= before || !is_member(from->stocked, o) || !find_next(*from, o, i)) break;
        }
        if (from == nullptr) {
            there = word;
        } else {
            inbox[0] = 0;
            link_side<S, N>(m_c, *from)
                .put_flit(m_c.around.ring.at(m_c.time), from->output_at(o), o & block::vc_mask, word);
        }
        return m_end;
    }

  private:
    /// Runs a cycle in which only credits have come to router b. Returns the cycle that run() returns.
    cycle_t take_credits(block& b, std::uint64_t* inbox) {
        if (!router_bypass<S, N>(m_c, b).run(inbox)) return m_c.time;
        sleep();
        m_end = m_c.time + 1;
        m_c.time = ~cycle_t{0};
        return m_end;
    }
    /// Clears the bit that wakes the router in the plane of this cycle.
    void sleep() const {
        m_c.here[0] = 0;
        m_c.here[m_c.first_word + (m_k >> 6)] = 0;
    }
    /// Passes the flit `word` from input VC i through router m_k, and gives its credit back. Sets `word` to
    /// the flit as it goes on, and `o` to its output VC. Returns false if the flit cannot take the short cut.
    SARE_INLINE bool pass(index i, std::uint64_t& word, index& o, cycle_t before) {
        block& b = m_c.block_of(m_k);
        credit_account& account = b.input_at(i).account;
        if (__builtin_expect(!account.is_open(), 0)) return pass_from_nic(b, i, word, o, before);
        if (!router_bypass<S, N>(m_c, b).run_lone(i, word, o)) return false;
        account.give(m_c.now + bypass_cycles + m_c.credit_delay);
        m_end = m_c.time + 1;
        return true;
    }
    /// Does what pass() does, where the credit goes by wire: passes the flit if the credit goes to a NIC and
    /// is there before cycle `before`. The NIC is idle, so it may have the credit before its time. Returns
    /// false also if the credit goes to a router.
    __attribute__((noinline)) bool pass_from_nic(block& b, index i, std::uint64_t& word, index& o,
                                                 cycle_t before) {
        const std::uint32_t sender = m_c.places.endpoint_at(b.credit_inbox[i >> S]);
        const cycle_t back = m_c.time + bypass_cycles + m_c.credit_delay;
        if (sender < m_c.places.first_nic || back >= before ||
            m_c.credit_delay >= m_c.around.shape.flit_delay)
            return false;
        if (!router_bypass<S, N>(m_c, b).run_lone(i, word, o)) return false;
        m_nics.take_credit(sender - m_c.places.first_nic,
                           static_cast<std::uint32_t>(b.credit_place[i >> S] + (i & block::vc_mask)));
        m_end = back + 1;
        return true;
    }
    /// Sets m_k to the router at the other end of output VC `o` of block `b`, and `i` to the input VC there.
    /// Returns false if no router of the bank is there.
    SARE_INLINE bool find_next(const block& b, index o, index& i) {
        const auto& to = b.output_at(o);
        m_k = m_c.places.endpoint_at(to.flit_inbox) - m_c.around.shape.first;
        i = to.flit_place + (o & block::vc_mask) - block::arrivals_at;
        return m_k < m_routers;
    }

    cycle& m_c;                     ///< the cycle, which run() moves on
    std::uint32_t m_k;              ///< number, in the bank, of the router that the flit is at
    const std::uint32_t m_routers;  ///< number of routers of the bank
    injection_port& m_nics;         ///< takes the credits that go to NICs
    cycle_t m_end = 0;              ///< cycle after the last one that was run
};

}  // namespace sare
