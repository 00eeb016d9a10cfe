// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/route.h"

namespace sare {

/// Sends flits and credits of listed routers whose ports are regular (see odd_port), and takes in the credits
/// that came by wire. S and N: as in vc_block.
template <int S, int N>
class link_side {
  public:
    using cycle = vc_cycle<S, N, false>;
    using block = vc_block<S, N, true>;
    using set = typename block::set;
    using index = std::uint64_t;
    using input_vc = typename block::input_vc;
    using output = typename block::output_port;

    SARE_INLINE link_side(const cycle& c, block& b) : m_c(c), m_b(b) {}

    /// Adds a credit, which came by wire, to each of the output VCs `credits`, lets the packets that have
    /// these VCs go on, and reopens their credit_accounts.
    SARE_INLINE void take_credits(set credits) const {
        m_b.feed(credits, m_b.free);
        for (; credits != 0; credits &= credits - 1) {
            const index o = lowest(credits);
            ++m_b.credits(o);
            if (credit_account* account = m_b.account_beyond(o)) account->reopen();
        }
    }

    /// Counts a flit that leaves by output VC o of port `to`, and spends its credit. Returns true if there is
    /// no credit for another flit; the output VC is then no longer in vc_sets::stocked.
    SARE_INLINE bool spend(output& to, index o) const {
        const index vc = o & block::vc_mask;
        ++to.sent[vc];
        if (__builtin_expect(--to.credits[vc] != 0, 1) || look_up_credits(m_c, m_b, o)) return false;
        m_b.stocked &= ~(set{1} << o);
        return true;
    }

    /// Writes the flit `word` for VC `vc` of output port `to` into `plane`, the plane of the cycle in which
    /// the flit is read, and wakes the reader in that cycle.
    SARE_INLINE void put_flit(std::uint64_t* plane, const output& to, index vc, std::uint64_t word) const {
        plane[0] = 1;
        plane[to.flit_inbox + to.flit_word] = word;
        plane[to.flit_inbox] |= std::uint64_t{1} << (to.flit_place + vc);
        wake(m_c, plane, to.flit_inbox);
    }
    /// Gives back the credit for a place in input VC i, whose state is `from`: into the account of the VC if
    /// it is open, else by wire into `plane`. `back`: cycle (modulo 2^32) in which `plane` is read.
    SARE_INLINE void put_credit(std::uint64_t* plane, input_vc& from, index i, std::uint32_t back) const {
        if (__builtin_expect(from.account.is_open(), 1)) return from.account.give(back);
        const index port = i >> S;
        send_by_wire(m_c, plane, m_b.credit_inbox[port], m_b.credit_place[port] + (i & block::vc_mask));
    }

  private:
    // Both are static, since the address of a step must not become known to a function that is not inlined:
    // the step would not stay in registers.

    /// Looks for credits of output VC o in its account, after all known credits are spent. Returns true if
    /// some are back. Otherwise closes the account, sends the credits in it that are still on their way by
    /// wire, so that they wake the router, and returns false; also false if there is no account.
    static __attribute__((noinline)) bool look_up_credits(const cycle& c, block& b, index o) {
        credit_account* account = b.account_beyond(o);
        if (account == nullptr) return false;
        b.credits(o) = account->take_back(c.now);
        if (b.credits(o) != 0) return true;
        account->close();
        for (std::uint32_t coming = account->take_coming(c.now); coming != 0; coming &= coming - 1)
            send_by_wire(c, c.plane_in(1 + static_cast<std::uint32_t>(lowest(coming))),
                         b.inbox + block::inbox_sets - 1, o);
        return false;
    }
    /// Writes a credit into `plane`, the plane of the cycle in which it is read, and wakes the reader in that
    /// cycle. `inbox`: word with the reader's bits of credits; `place`: index of the bit in that word.
    static SARE_INLINE void send_by_wire(const cycle& c, std::uint64_t* plane, std::uint32_t inbox,
                                         std::uint64_t place) {
        plane[0] = 1;
        plane[inbox] |= std::uint64_t{1} << place;
        wake(c, plane, inbox);
    }
    /// Wakes the endpoint whose inbox has the word with number `inbox`, in the cycle in which `plane` is
    /// read.
    static SARE_INLINE void wake(const cycle& c, std::uint64_t* plane, std::uint32_t inbox) {
        const std::uint32_t reader = c.places.endpoint_at(inbox);
        plane[1 + (reader >> 6)] |= std::uint64_t{1} << (reader & 63);
    }

    const cycle& m_c;
    block& m_b;
};

}  // namespace sare
