// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/link_side.h"

namespace sare {

/// Short cut for packets of one flit through a listed router in which nothing bids and no packet has an
/// output VC. RC and VA take a cycle each in such routers, so the heads that arrive in a cycle meet only each
/// other: in VA one cycle later, and in SA two cycles later. If they ask for different ports and find VCs
/// with credits, all is known on arrival: the flits are sent at once, as of the cycle of their SA. Until then
/// they are a *passage* (vc_sets::passage): their input and output VCs are in vc_sets::later, then in
/// vc_sets::soon, and the output VCs are not free. The router need not run again for them.
///
/// step_list() tries run() before a step. Results are those of vc_step. S and N: as in vc_block; `i` and `o`
/// are VC numbers of an input VC and of an output VC.
template <int S, int N>
class router_bypass {
    using cycle = vc_cycle<S, N, false>;
    using block = vc_block<S, N, true>;
    using set = typename block::set;
    using index = std::uint64_t;
    static set one(index i) { return set{1} << i; }

  public:
    /// Keeps references to the cycle `c` and to `b`, the block of the router.
    SARE_INLINE router_bypass(const cycle& c, block& b) : m_c(c), m_b(b) {}

    /// Takes in the credits that came by wire, and tries the short cut for all flits in `inbox`. Returns true
    /// if nothing is left for the router to do in this cycle. Returns false if no flit was taken: a step must
    /// then take the flits out of the inbox.
    SARE_INLINE bool run(std::uint64_t* inbox) {
        const auto arrived = static_cast<set>(inbox[0] >> block::arrivals_at);
        const auto credits = static_cast<set>(inbox[block::inbox_sets - 1]);
        if (__builtin_expect(credits != 0, 0)) {
            link_side<S, N>(m_c, m_b).take_credits(credits);
            inbox[block::inbox_sets - 1] ^= credits;
        }
        if (is_busy()) return false;
        if (arrived == 0) return true;
        const bool alone = (arrived & (arrived - 1)) == 0;
        if (alone && is_rested()) {
            const index i = lowest(arrived);
            index o;
            std::uint64_t onward;
            if (!pass_rested(i, come(i), onward, o)) return false;
            send(i, o, onward);
            inbox[0] = 0;
            return true;
        }
        if ((arrived & m_b.staying(m_c.now)) != 0) return false;
        if (!(alone ? pass_one(lowest(arrived)) : pass_several(m_c, m_b, arrived))) return false;
        inbox[0] = 0;
        m_b.seen = m_c.now;
        return true;
    }

    /// Tries the short cut for flit `word`, the only flit that has come, in input VC i; the flit is not in
    /// the inbox. Returns true if it was taken: `word` is then the flit for the next router, and `o` the
    /// output VC; the caller must send the flit and its credit. Returns false if not: nothing has changed,
    /// but a head may have got a route into `word`.
    SARE_INLINE bool run_lone(index i, std::uint64_t& word, index& o) {
        if (is_busy()) return false;
        std::uint64_t onward;
        if (__builtin_expect(!is_rested(), 0) ? !pass_lone(m_c, m_b, i, word, onward, o)
                                              : !pass_rested(i, word, onward, o))
            return false;
        word = onward;
        return true;
    }

  private:
    /// True if the short cut cannot be taken: some head bids, some packet has an output VC, a second flit is
    /// behind a passage, or a port is irregular (see odd_port).
    SARE_INLINE bool is_busy() const {
        return (m_b.va | m_b.va_next | m_b.active | m_b.behind | m_b.odd) != 0;
    }
    /// Result of ask(): the head in input VC i will get output VC o if `granted` is true; else the other
    /// members have no meaning.
    struct request {
        bool granted;
        index i, o;
        std::uint64_t word;  ///< the flit as it goes on to the next router
    };

    /// True if the router is *rested*: all passages have left before this cycle.
    SARE_INLINE bool is_rested() const { return m_c.now - m_b.seen > 2; }
    /// Takes the short cut in a rested router for `word`, the only flit that has come, as pass_behind() does
    /// in other routers. Sets `onward` to the flit as it goes on, and `o` to the output VC; the caller must
    /// send the flit and its credit. Returns false, without a change of the router's sets, if the short cut
    /// cannot be taken.
    SARE_INLINE bool pass_rested(index i, std::uint64_t& word, std::uint64_t& onward, index& o) {
        const set present = m_b.present & ~(m_b.soon.in | m_b.later.in);
        const set free = m_b.free | m_b.soon.out | m_b.later.out;
        if (is_member(present, i) || !flit::from_word(word).is_tail()) return false;
        const auto route = head_route<S, N>(m_c, m_b).of_arrival(i, word);
        const set open = free & route.want;
        if (open == 0) return false;
        auto& port = m_b.at_port(i >> S);
        auto& from = port.in[i & block::vc_mask];
        from.want = route.want;
        o = m_c.after.pick(open, from.out & block::vc_mask);
        if (!is_member(m_b.stocked, o)) return false;
        onward = route.word;
        m_b.seen = m_c.now;
        m_b.soon = {};
        m_b.later = {one(i), one(o)};
        m_b.present = present | one(i);
        m_b.free = free & ~one(o);
        from.count = 1;
        from.out = static_cast<std::uint8_t>(o);
        auto& to = m_b.at_port(o >> S).out;
        port.in[0].sa_vc = to.sa_column = to.owner[o & block::vc_mask] = static_cast<std::uint8_t>(i);
        link_side<S, N>(m_c, m_b).spend(to, o);
        return true;
    }
    /// Takes the short cut for the flit `word` in input VC i, while passages in other input VCs have not left
    /// yet. Returns the request; if it is granted, the caller must send the flit and its credit.
    SARE_INLINE request pass_behind(index i, std::uint64_t& word) {
        const auto [left, soon] = foreseen();
        const request r = ask(i, word, m_b.free | left.out);
        if (!r.granted) return r;
        move_on(left, soon);
        m_b.later = {};
        take(r);
        return r;
    }
    /// Does what run_lone() does in a router that is neither busy nor rested.
    static __attribute__((noinline)) bool pass_lone(const cycle& c, block& b, index i, std::uint64_t& word,
                                                    std::uint64_t& onward, index& o) {
        if ((one(i) & b.staying(c.now)) != 0) return false;
        const request r = router_bypass(c, b).pass_behind(i, word);
        if (!r.granted) return false;
        b.seen = c.now;
        onward = r.word;
        o = r.o;
        return true;
    }
    /// Takes the short cut for the only flit that has come, in input VC i, and sends the flit. Returns false
    /// if the short cut cannot be taken.
    SARE_INLINE bool pass_one(index i) {
        const request r = pass_behind(i, come(i));
        if (r.granted) send(r.i, r.o, r.word);
        return r.granted;
    }

    /// Takes the short cut for the flits in the input VCs `arrived`. Returns true if all were taken, false if
    /// none was.
    static __attribute__((noinline)) bool pass_several(const cycle& c, block& b, set arrived) {
        router_bypass p(c, b);
        const auto [left, soon] = p.foreseen();
        request all[block::max_ports];
        std::uint32_t n = 0, ports = 0;
        for (; arrived != 0; arrived &= arrived - 1) {
            const request& r = all[n++] = p.ask(lowest(arrived), p.come(lowest(arrived)), b.free | left.out);
            if (!r.granted || is_member(ports, r.o >> S)) return false;
            add_member(ports, r.o >> S);
        }
        p.move_on(left, soon);
        b.later = {};
        for (std::uint32_t k = 0; k < n; ++k) p.grant(all[k]);
        return true;
    }

    /// Progress of passages. `left`: passages that have left when this cycle is over; `soon`: passage that
    /// leaves in the next cycle.
    struct progress {
        typename block::passage left, soon;
    };
    /// Returns the progress of the passages in this cycle.
    SARE_INLINE progress foreseen() const {
        const set next = m_c.now - m_b.seen == 1 ? ~set{0} : 0;
        const typename block::passage soon = {m_b.later.in & next, m_b.later.out & next};
        return {{m_b.soon.in | (m_b.later.in & ~next), m_b.soon.out | (m_b.later.out & ~next)}, soon};
    }
    /// Ends the passages `left`, and makes `soon` the passage that leaves in the next cycle.
    SARE_INLINE void move_on(const typename block::passage& left, const typename block::passage& soon) {
        m_b.leave(left);
        m_b.soon = soon;
    }

    /// Returns a reference to the word, in the plane, of the flit that has come for input VC i.
    SARE_INLINE std::uint64_t& come(index i) const { return m_c.here[m_b.flits_at + (i >> S)]; }
    /// Returns the request of the head `word` in input VC i, as it is if no other head asks for the same
    /// port. It is not granted if the packet has more than one flit, or no free VC with a credit is picked.
    /// `free`: output VCs that will be free in VA.
    SARE_INLINE request ask(index i, std::uint64_t& word, set free) const {
        if (!flit::from_word(word).is_tail()) return {};
        const auto route = head_route<S, N>(m_c, m_b).of_arrival(i, word);
        auto& from = m_b.in(i);
        const set open = free & route.want;
        if (open == 0) return {};
        from.want = route.want;
        const index o = m_c.after.pick(open, from.out & block::vc_mask);
        return {is_member(m_b.stocked, o), i, o, route.word};
    }

    /// Does take(), and sends the flit and its credit.
    SARE_INLINE void grant(const request& r) {
        take(r);
        send(r.i, r.o, r.word);
    }
    /// Sends the flit `word` by output VC o, and the credit for its place in input VC i, both as of
    /// bypass_cycles from now.
    SARE_INLINE void send(index i, index o, std::uint64_t word) const {
        const link_side<S, N> router(m_c, m_b);
        router.put_credit(m_c.later_credits, m_b.input_at(i), i, m_c.now + bypass_cycles + m_c.credit_delay);
        router.put_flit(m_c.later_flits, m_b.output_at(o), o & block::vc_mask, word);
    }
    /// Updates the state of the router for request r, which is granted. Sends nothing.
    SARE_INLINE void take(const request& r) {
        auto& from = m_b.in(r.i);
        auto& to = m_b.at_port(r.o >> S).out;
        from.count = 1;
        from.out = static_cast<std::uint8_t>(r.o);
        m_b.sa_vc(r.i >> S) = to.sa_column = to.owner[r.o & block::vc_mask] = static_cast<std::uint8_t>(r.i);
        m_b.present |= one(r.i);
        m_b.free &= ~one(r.o);
        m_b.later.in |= one(r.i);
        m_b.later.out |= one(r.o);
        link_side<S, N>(m_c, m_b).spend(to, r.o);
    }

    const cycle& m_c;
    block& m_b;
};

}  // namespace sare
