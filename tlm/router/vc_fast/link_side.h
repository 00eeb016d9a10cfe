// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/cycle.h"

#include <algorithm>

namespace sare {

/// Of fast routers in lists: the ways of heads, flits and credits that go.
template <int S, int N>
class link_side {
  public:
    using cycle = fast_cycle<S, N, false>;
    using block = fast_block<S, N, true>;
    using set = typename block::set;
    using index = std::uint64_t;
    using way = packed_route<S, N>;
    using input_vc = typename block::input_vc;
    using output = typename block::output_port;

    SARE_INLINE link_side(const cycle& c, block& b) : m_c(c), m_b(b) {}

    struct route {
        set want = 0;            ///< output VCs that the packet may have
        std::uint64_t word = 0;  ///< its head for the next router
    };
    SARE_INLINE route route_of(index i, std::uint64_t word) const {
        if (m_c.keyed)
            return {static_cast<set>(m_c.wants[m_b.routes[m_c.entry(i >> S, flit::from_word(word))]]), word};
        if (__builtin_expect(!way::is_known(word), 0)) word = ask_routing(m_c, m_b, i, word);
        return {way::want(word), way::advanced(word)};
    }
    /// The same of a head that has just come by input VC i: if the routing function has to be asked, the
    /// answer is noted there.
    SARE_INLINE route route_of_arrival(index i, std::uint64_t& word) const {
        if (!m_c.keyed && __builtin_expect(!way::is_known(word), 0)) find_way(i, word);
        return route_of(i, word);
    }
    /// Of a head that does not know its way.
    SARE_INLINE void find_way(index i, std::uint64_t& word) const { word = ask_routing(m_c, m_b, i, word); }

    /// Those that came by wire. Later ones wait in the account again.
    SARE_INLINE void take_credits(set credits) const {
        m_b.feed(credits, m_b.free);
        for (; credits != 0; credits &= credits - 1) {
            const index o = lowest(credits);
            ++m_b.credits(o);
            if (credit_account* account = m_b.account_beyond(o)) account->reopen();
        }
    }

    /// A flit leaves by output VC o. True if there is no credit for another one.
    SARE_INLINE bool spend(output& to, index o) const {
        const index vc = o & block::vc_mask;
        ++to.sent[vc];
        if (__builtin_expect(--to.credits[vc] != 0, 1) || look_up_credits(m_c, m_b, o)) return false;
        m_b.stocked &= ~(set{1} << o);
        return true;
    }

    /// In the plane of the cycle in which it is read.
    SARE_INLINE void put_flit(std::uint64_t* plane, const output& to, index vc, std::uint64_t word) const {
        plane[0] = 1;
        plane[to.flit_inbox + to.flit_word] = word;
        plane[to.flit_inbox] |= std::uint64_t{1} << (to.flit_place + vc);
        wake(m_c, plane, to.flit_inbox);
    }
    /// `back`: the cycle of that plane.
    SARE_INLINE void put_credit(std::uint64_t* plane, input_vc& from, index i, std::uint32_t back) const {
        if (__builtin_expect(from.account.is_open(), 1)) return from.account.give(back);
        const index port = i >> S;
        send_by_wire(m_c, plane, m_b.credit_inbox[port], m_b.credit_place[port] + (i & block::vc_mask));
    }

  private:
    // None of these is a member that knows `this`: a step whose address is known to others would not stay in
    // registers.

    /// The head with its way from here on.
    static __attribute__((noinline)) std::uint64_t ask_routing(const cycle& c, const block& b, index i,
                                                               std::uint64_t word) {
        packet& p = c.packets[flit::from_word(word).packet];
        route_set ways;
        c.routing->route(b.id, static_cast<std::uint32_t>(i) >> S, i & block::vc_mask, p.route, ways);
        const route_candidate first = ways.candidates[0];
        const std::uint32_t routers = std::min<std::uint32_t>(1 + ways.repeats, way::longest);
        p.hops = static_cast<std::uint16_t>(p.hops + routers);
        constexpr set port_mask = (set{1} << (1 << S)) - 1;
        return way::pack(word, first.port, (set{first.vcs} << p.route.vc_base) & port_mask, routers);
    }

    /// All known credits of output VC o are spent. True if others have come back; if not, those that are
    /// still on their way come by wire, and wake the router.
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
    /// `place`: bit of an inbox's credits.
    static SARE_INLINE void send_by_wire(const cycle& c, std::uint64_t* plane, std::uint32_t inbox,
                                         std::uint64_t place) {
        plane[0] = 1;
        plane[inbox] |= std::uint64_t{1} << place;
        wake(c, plane, inbox);
    }
    /// The endpoint whose inbox is there.
    static SARE_INLINE void wake(const cycle& c, std::uint64_t* plane, std::uint32_t inbox) {
        const std::uint32_t reader = c.places.endpoint_at(inbox);
        plane[1 + (reader >> 6)] |= std::uint64_t{1} << (reader & 63);
    }

    const cycle& m_c;
    block& m_b;
};

}  // namespace sare
