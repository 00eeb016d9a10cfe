// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/steps.h"

/// One cycle of a plain router (see plain_block): the same machine as router_step.h, written for the number
/// of instructions. Numbers of VCs are port << S | vc throughout. What a loop adds to a set it gathers in a
/// local one, so that it stays in a register: a store through a pointer would force it to memory and back.
namespace sare {

/// By VC: the VCs of all ports that come after it in a round. A round-robin pick is one look-up.
template <int S, class Set>
struct vcs_after {
    Set of[1 << S];

    constexpr vcs_after() : of() {
        for (unsigned last = 0; last < 1u << S; ++last)
            for (unsigned i = 0; i < sizeof(Set) * 8; ++i)
                if ((i & ((1u << S) - 1)) > last) of[last] |= Set{1} << i;
    }
    /// The first of `members`, all of one port, after `last`.
    SARE_INLINE std::uint64_t pick(Set members, std::uint32_t last) const {
        const Set later = members & of[last];
        return lowest(later != 0 ? later : members);
    }
};

/// What the steps of one kind of router have in common in a cycle. `Usual`: RC and VA take a cycle each,
/// there is a route table, and the routers are so few that nobody sets bits to wake and all stay in the
/// caches.
template <int S, int N, bool Usual>
struct plain_cycle {
    using block = plain_block<S, N>;

    SARE_INLINE plain_cycle(fabric& f, const router_shape& kind, std::uint32_t word, cycle_t t)
        : at(&f.m_router_at[std::size_t{word} * 64]),
          sets(f.plane(t) + f.m_sets_at + std::size_t{word} * 64),
          here(f.plane(t)),
          next(f.plane(t + 1)),
          flits(f.plane(t + kind.flit_delay)),
          credits(f.plane(t + kind.credit_delay)),
          packets(&f.m_packets[0]),
          wants(kind.wants.data()),
          routing(f.m_routing),
          depth(kind.params.depth),
          in_vcs(kind.in_vcs),
          rc(kind.rc != 0),
          va(kind.va != 0),
          sets_at(f.m_sets_at),
          set_shift(f.m_set_words == 2 ? 1 : 0) {}

    SARE_INLINE block& block_of(std::uint64_t k) const { return *reinterpret_cast<block*>(at[k]); }

    std::uint8_t* const* const at;  ///< blocks of this word
    std::uint64_t* const sets;      ///< of this word, where an inbox has one
    std::uint64_t *const here, *const next, *const flits, *const credits;  ///< planes
    packet* const packets;
    const std::uint64_t* const wants;
    const routing_function* const routing;
    const std::uint32_t depth, in_vcs;
    const bool rc, va;                                          ///< whether these stages take a cycle
    const std::uint32_t sets_at, set_shift;                     ///< of endpoints: sets_at + (e << shift)
    const vcs_after<S, typename block::set> after = all_after;  ///< here no register has to point to it

  private:
    static constexpr vcs_after<S, typename block::set> all_after = {};
};

template <int S, int N, bool Usual>
class plain_step {
    using block = plain_block<S, N>;
    using set = typename block::set;
    using input = typename block::input;
    using index = std::uint64_t;  ///< as registers are: a narrower one would have to be widened
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    static constexpr set port_mask = (set{1} << (1 << S)) - 1;  ///< VCs of port 0
    static set one(std::uint64_t i) { return set{1} << i; }

  public:
    SARE_INLINE plain_step(const plain_cycle<S, N, Usual>& cycle, block& b) : m_c(cycle), m_b(b) {}

    /// True if there is something to do in the next cycle.
    SARE_INLINE bool run(std::uint64_t* inbox) {
        set heads = read_inbox(inbox), bids = m_b.va;
        if (!Usual && !m_c.rc) {
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
                // Who gets a VC in this cycle bids in the next one, unless VA takes no time. A head that lost
                // to another tries again; one for which no VC is free sleeps until one is.
                m_b.active |= won;
                if (!Usual && !m_c.va) ready = ready_for_switch();
                if (bids != 0) again |= bids;
            }
        }
        m_b.va = bids | again;
        set released = 0;
        if (ready != 0 && allocate_switch(ready, released)) {
            again |= m_b.va;
            if (!Usual && !m_c.rc) {
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
            m_b.in[i].count = 1;
            if (!flit::from_word(word).is_head()) continue;
            route(i, word);
            add_member(heads, i);
        }
        return heads;
    }

    SARE_INLINE void take_credits(set credits) {
        for (set fed = credits & ~m_b.stocked & ~m_b.free; fed != 0; fed &= fed - 1)
            m_b.starved &= ~one(m_b.owner[lowest(fed)]);
        m_b.stocked |= credits;
        for (; credits != 0; credits &= credits - 1) ++m_b.credits[lowest(credits)];
    }

    SARE_INLINE void put_behind(index i, std::uint64_t word) {
        input& c = m_b.in[i];
        std::uint32_t place = c.head + c.count++;
        if (place >= m_c.depth) place -= m_c.depth;
        m_b.buffer[place * m_c.in_vcs + i] = flit::from_word(word);
    }

    /// Notes which output VCs the packet at the front may have.
    SARE_INLINE void route(index i, std::uint64_t word) {
        m_b.in[i].want = !Usual && m_b.routes == nullptr
                             ? ask_routing(*m_c.routing, m_b.id, static_cast<std::uint32_t>(i),
                                           m_c.packets[flit::from_word(word).packet])
                             : static_cast<set>(m_c.wants[m_b.routes[flit::from_word(word).sequence]]);
    }

    /// Not a member: a step whose address is known to others would not stay in registers.
    static __attribute__((noinline)) set ask_routing(const routing_function& routing, std::uint32_t router,
                                                     std::uint32_t i, packet& p) {
        ++p.hops;
        route_set ways;
        routing.route(router, i >> S, i & vc_mask, p.route, ways);
        const route_candidate way = ways.candidates[0];
        return ((set{way.vcs} << p.route.vc_base) & port_mask) << (way.port << S);
    }

    /// Separable, input first. Who asks first for an output VC gets it at once; a later request takes it from
    /// him if round robin, which starts after who was served last, meets it first. Gives the winners.
    SARE_INLINE set allocate_vcs(set bids) {
        const set free = m_b.free, stocked = m_b.stocked;
        set asked = 0, won = 0;
        std::uint8_t owner_before[N], turn_before[N];
        for (; bids != 0; bids &= bids - 1) {
            const index i = lowest(bids);
            input& c = m_b.in[i];
            const set open = free & c.want;
            if (open == 0) continue;
            const std::uint8_t turn = c.out;
            const index o = m_c.after.pick(open, turn & vc_mask);
            if (!is_member(asked, o)) {
                owner_before[o] = m_b.owner[o];
            } else {
                const index last = owner_before[o], leads = m_b.owner[o];
                if (!(leads <= last && i > last)) continue;
                m_b.in[leads].out = turn_before[o];
                m_b.starved &= ~one(leads);
                remove_member(won, leads);
            }
            add_member(asked, o);
            add_member(won, i);
            turn_before[o] = turn;
            m_b.owner[o] = static_cast<std::uint8_t>(i);
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
            if ((mine & (mine - 1)) != 0) i = m_c.after.pick(mine, m_b.sa_vc[i >> S] & vc_mask);
            const index y = whole(m_b.in[i].out) >> S;
            if (!is_member(asked, y) || comes_before(i, winner[y], m_b.sa_column[y])) {
                add_member(asked, y);
                winner[y] = static_cast<std::uint8_t>(i);
            }
            ready ^= mine;
            if (ready == 0) break;
        }
        reload();
        m_c.flits[0] = m_c.credits[0] = 1;
        set emptied = 0, freed = 0;
        for (; asked != 0; asked &= asked - 1) {
            const index y = lowest(asked), i = winner[y];
            m_b.sa_column[y] = static_cast<std::uint8_t>(i);
            m_b.sa_vc[i >> S] = static_cast<std::uint8_t>(i);
            send(i, y, emptied, freed, released);
        }
        reload();
        m_b.present &= ~emptied;
        m_b.free |= freed;
        return freed != 0;
    }

    SARE_INLINE void send(index i, index out_port, set& emptied, set& freed, set& released) {
        const index o = m_b.in[i].out, in_port = i >> S;
        const std::uint64_t word = m_b.front[i];
        const std::uint32_t flit_inbox = m_b.flit_inbox[out_port], credit_inbox = m_b.credit_inbox[in_port];
        m_c.flits[m_b.flit_at[out_port]] = word;
        if constexpr (Usual) {
            m_c.flits[flit_inbox] |= m_b.flit_bit[o];
            m_c.credits[credit_inbox] |= m_b.credit_bit[i];
        } else {
            m_c.flits[flit_inbox] |= std::uint64_t{1} << (m_b.flit_place[out_port] + (o & vc_mask));
            m_c.credits[credit_inbox] |= std::uint64_t{1} << (m_b.credit_place[in_port] + (i & vc_mask));
            wake(m_c.flits, flit_inbox);
            wake(m_c.credits, credit_inbox);
        }
        ++m_b.sent[o];
        if (__builtin_expect(--m_b.credits[o] == 0, 0)) {
            reload();
            m_b.stocked &= ~one(o);
            if (!flit::from_word(word).is_tail()) m_b.starved |= one(i);
        }
        const bool tail = flit::from_word(word).is_tail();
        if (tail) {
            m_b.active &= ~one(i);
            add_member(freed, o);
        }
        if (!take_front(i)) {
            add_member(emptied, i);
        } else if (tail) {
            route(i, m_b.front[i]);
            add_member(released, i);
        }
    }

    SARE_INLINE void wake(std::uint64_t* plane, std::uint32_t inbox) const {
        const std::uint32_t reader = (inbox - m_c.sets_at) >> m_c.set_shift;
        plane[1 + (reader >> 6)] |= std::uint64_t{1} << (reader & 63);
    }

    /// True if there is another flit behind.
    SARE_INLINE bool take_front(index i) {
        input& c = m_b.in[i];
        if (--c.count == 0) {
            c.head = 0;
            return false;
        }
        const std::uint32_t place = c.head + 1u == m_c.depth ? 0 : c.head + 1u;
        c.head = static_cast<std::uint8_t>(place);
        m_b.front[i] = m_b.buffer[place * m_c.in_vcs + i].as_word();
        return true;
    }

    const plain_cycle<S, N, Usual>& m_c;
    block& m_b;
};

/// Fetches what the steps of a list will use into the cache before their turn: first the line of a block with
/// its sets; when it has come, what the sets say; when that has come, what it leads to; at last what the
/// routing function wants for the packet it led to.
template <int S, int N>
class plain_look_ahead {
    using block = plain_block<S, N>;
    static constexpr int far = list_look_ahead, middle = far / 2, near = far / 4;

  public:
    SARE_INLINE plain_look_ahead(const plain_cycle<S, N, false>& cycle, const std::uint32_t* routers)
        : m_c(cycle) {
        for (int n = 0; n < far; ++n) fetch_block(routers[n]);
        for (int n = 0; n < middle; ++n) fetch_vcs(routers[n]);
        for (int n = 0; n < near; ++n) fetch_beyond(routers[n]);
    }
    /// `routers`: from the one on whose turn it is.
    SARE_INLINE void advance(const std::uint32_t* routers) const {
        fetch_block(routers[far]);
        fetch_vcs(routers[middle]);
        fetch_beyond(routers[near]);
        fetch_way(routers[1]);
    }

  private:
    SARE_INLINE void fetch_block(std::uint32_t r) const { __builtin_prefetch(&m_c.block_of(r), 1); }
    SARE_INLINE std::uint64_t arrived(const block& b) const {
        return m_c.here[b.inbox] >> block::arrivals_at;
    }
    SARE_INLINE void fetch_vcs(std::uint32_t r) const {
        const block& b = m_c.block_of(r);
        __builtin_prefetch(&b.credits, 1);
        const std::uint64_t flits = arrived(b);
        if (flits != 0) {
            const std::uint64_t i = lowest(flits);
            __builtin_prefetch(m_c.here + b.flits_at + (i >> S));
            __builtin_prefetch(&b.in[i], 1);
            __builtin_prefetch(&b.front[i], 1);
        }
        if (b.va != 0) __builtin_prefetch(&b.in[lowest(b.va)], 1);
        const auto leave = b.active & b.present & ~b.starved;
        if (leave == 0) return;
        const std::uint64_t i = lowest(leave);
        __builtin_prefetch(&b.in[i], 1);
        __builtin_prefetch(&b.front[i], 1);
        __builtin_prefetch(&b.flit_inbox);
        __builtin_prefetch(&b.credit_inbox, 1);
    }
    SARE_INLINE void fetch_beyond(std::uint32_t r) const {
        const block& b = m_c.block_of(r);
        const std::uint64_t flits = arrived(b);
        if (flits != 0) {
            const std::uint64_t word = m_c.here[b.flits_at + (lowest(flits) >> S)];
            if (b.routes == nullptr) __builtin_prefetch(&m_c.packets[flit::from_word(word).packet], 1);
        }
        const auto leave = b.active & b.present & ~b.starved;
        if (leave == 0) return;
        const std::uint64_t i = lowest(leave), o = b.in[i].out, y = o >> S;
        __builtin_prefetch(&b.sent[o], 1);
        __builtin_prefetch(m_c.flits + b.flit_at[y], 1);
        __builtin_prefetch(m_c.flits + b.flit_inbox[y], 1);
        __builtin_prefetch(m_c.credits + b.credit_inbox[i >> S], 1);
    }

    SARE_INLINE void fetch_way(std::uint32_t r) const {
        const block& b = m_c.block_of(r);
        const std::uint64_t flits = arrived(b);
        if (flits == 0 || b.routes != nullptr) return;
        const flit f = flit::from_word(m_c.here[b.flits_at + (lowest(flits) >> S)]);
        if (f.is_head()) m_c.routing->expect(m_c.packets[f.packet].route);
    }

    const plain_cycle<S, N, false>& m_c;
};

/// Usual ones: the routers of a word of the bits to wake that are set in `active`.
template <int S, int N>
SARE_INLINE void step_plain_word(fabric& f, const router_shape& kind, std::uint32_t word,
                                 std::uint64_t active, cycle_t t) {
    const plain_cycle<S, N, true> cycle(f, kind, word, t);
    std::uint64_t again = 0;
    for (; active != 0; active &= active - 1) {
        const std::uint64_t k = lowest(active);
        if (plain_step<S, N, true>(cycle, cycle.block_of(k)).run(cycle.sets + k))
            again |= active & (0 - active);
    }
    if (again == 0) return;
    cycle.next[0] = 1;
    cycle.next[1 + word] |= again;
}

/// All others: a list, with list_look_ahead numbers more behind it.
template <int S, int N>
SARE_INLINE void step_plain_routers(fabric& f, const router_shape& kind, const std::uint32_t* routers,
                                    std::size_t n, cycle_t t) {
    const plain_cycle<S, N, false> cycle(f, kind, 0, t);
    const plain_look_ahead<S, N> ahead(cycle, routers);
    for (std::size_t k = 0; k < n; ++k) {
        ahead.advance(routers + k);
        const std::uint32_t r = routers[k];
        plain_block<S, N>& b = cycle.block_of(r);
        if (!plain_step<S, N, false>(cycle, b).run(cycle.here + b.inbox)) continue;
        cycle.next[0] = 1;
        cycle.next[1 + (r >> 6)] |= std::uint64_t{1} << (r & 63);
    }
}

template <int S, int N>
void step_plain(fabric& f, const router_shape& kind, std::uint32_t word, std::uint64_t active, cycle_t t) {
    step_plain_word<S, N>(f, kind, word, active, t);
}
template <int S, int N>
void step_plain_list(fabric& f, const router_shape& kind, const std::uint32_t* routers, std::size_t n,
                     cycle_t t) {
    step_plain_routers<S, N>(f, kind, routers, n, t);
}

/// The same code with instructions for sets of bits, a tenth fewer in all; for processors that have them.
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_plain_fast(fabric& f, const router_shape& kind, std::uint32_t word,
                                           std::uint64_t active, cycle_t t) {
    step_plain_word<S, N>(f, kind, word, active, t);
}
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_plain_list_fast(fabric& f, const router_shape& kind,
                                                const std::uint32_t* routers, std::size_t n, cycle_t t) {
    step_plain_routers<S, N>(f, kind, routers, n, t);
}

}  // namespace sare
