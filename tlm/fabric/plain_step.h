// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/fabric.h"

/// One cycle of a plain router (see plain_block): the same machine as router_step.h, written for the number
/// of instructions. Numbers of VCs are port << S | vc throughout. The sets of a block are local to a step, so
/// that they stay in registers: a store through a pointer would force them to memory and back.
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

/// What the steps of one kind of router have in common in a cycle.
template <int S, int N>
struct plain_cycle {
    using block = plain_block<S, N>;

    SARE_INLINE plain_cycle(fabric& f, const router_shape& kind, std::uint32_t word, cycle_t t)
        : blocks(f.m_routers),
          at(&f.m_router_at[std::size_t{word} * 64]),
          inboxes(&f.m_inbox_of[std::size_t{word} * 64]),
          many(f.m_router_bytes > (1 << 20)),
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
          va(kind.va != 0) {}

    SARE_INLINE block& block_of(std::uint64_t k) const { return *reinterpret_cast<block*>(blocks + at[k]); }

    std::uint8_t* const blocks;
    const std::uint64_t* const at;       ///< bytes to the blocks of this word
    const std::uint32_t* const inboxes;  ///< of this word
    const bool many;                     ///< too many blocks for the caches
    std::uint64_t *const here, *const next, *const flits, *const credits;  ///< planes
    packet* const packets;
    const std::uint64_t* const wants;
    const routing_function* const routing;
    const std::uint32_t depth, in_vcs;
    const bool rc, va;  ///< whether these stages take a cycle
};

template <int S, int N>
class plain_step {
    using block = plain_block<S, N>;
    using set = typename block::set;
    using input = typename block::input;
    using output = typename block::output;
    using index = std::uint64_t;  ///< as registers are: a narrower one would have to be widened
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    static constexpr set port_mask = (set{1} << (1 << S)) - 1;  ///< VCs of port 0
    static constexpr vcs_after<S, set> after = {};
    static set one(std::uint64_t i) { return set{1} << i; }

  public:
    SARE_INLINE plain_step(const plain_cycle<S, N>& cycle, block& b)
        : m_c(cycle), m_b(b), m_va(b.va | b.va_next), m_va_next(b.va_after) {}

    /// True if there is something to do in the next cycle.
    SARE_INLINE bool run() {
        m_b.active |= m_b.active_next;
        m_b.active_next = m_b.va_after = 0;
        read_inbox();
        if (m_va != 0) allocate_vcs();
        const set ready = m_b.active & m_b.present & m_b.credit;
        if (ready != 0) allocate_switch(ready);
        m_b.va = m_va;
        m_b.va_next = m_va_next;
        // A head that lost to another tries again; one for which no VC is free sleeps until one is.
        return (m_va_next | m_b.va_after | ((m_b.active | m_b.active_next) & m_b.present & m_b.credit)) !=
                   0 ||
               (m_changed && m_va != 0);
    }

  private:
    SARE_INLINE void read_inbox() {
        std::uint64_t* inbox = m_c.here + m_b.inbox;
        const std::uint64_t word = inbox[0];
        inbox[0] = 0;
        auto credits = static_cast<set>(word);
        std::uint64_t ports = word >> 32;
        if constexpr (N > 32) {
            ports = word;
            credits = inbox[1];
            inbox[1] = 0;
        }
        for (; credits != 0; credits &= credits - 1) {
            const index o = lowest(credits);
            output& v = m_b.out[o];
            if (v.credits++ == 0 && (m_b.free & one(o)) == 0) m_b.credit |= one(v.owner);
        }
        set heads = 0;
        for (; ports != 0; ports &= ports - 1) {
            const index port = lowest(ports);
            take_flit(port, inbox[block::inbox_sets + port], heads);
        }
        if (m_c.rc)
            m_va_next |= heads;
        else
            m_va |= heads;
    }

    SARE_INLINE void take_flit(index port, std::uint64_t word, set& heads) {
        const index i = port << S | flit::from_word(word).vc;
        input& c = m_b.in[i];
        const std::uint32_t count = c.count++;
        if (count != 0) {
            std::uint32_t place = c.head + count;
            if (place >= m_c.depth) place -= m_c.depth;
            m_b.buffer[place * m_c.in_vcs + i] = flit::from_word(word);
            return;
        }
        c.front = word;
        m_b.present |= one(i);
        if (flit::from_word(word).is_head()) {
            route(i, c);
            heads |= one(i);
        }
    }

    /// Notes which output VCs the packet at the front may have.
    SARE_INLINE void route(index i, input& c) {
        packet& p = m_c.packets[flit::from_word(c.front).packet];
        ++p.hops;
        c.want = m_b.routes == nullptr
                     ? ask_routing(*m_c.routing, m_b.id, static_cast<std::uint32_t>(i), p.route)
                     : static_cast<set>(m_c.wants[p.route.vc_base * 256u + m_b.routes[p.route.destination]]);
    }

    /// Not a member: a step whose address is known to others would not stay in registers.
    static __attribute__((noinline)) set ask_routing(const routing_function& routing, std::uint32_t router,
                                                     std::uint32_t i, route_header& header) {
        route_set ways;
        routing.route(router, i >> S, i & vc_mask, header, ways);
        const route_candidate way = ways.candidates[0];
        return ((set{way.vcs} << header.vc_base) & port_mask) << (way.port << S);
    }

    /// Separable, input first. Who asks first for an output VC gets it at once; a later request takes it from
    /// him if round robin, which starts after who was served last, meets it first.
    SARE_INLINE void allocate_vcs() {
        set asked = 0, won = 0;
        std::uint8_t owner_before[N], out_before[N];
        for (set rest = m_va; rest != 0; rest &= rest - 1) {
            const index i = lowest(rest);
            input& c = m_b.in[i];
            const set open = m_b.free & c.want;
            if (open == 0) continue;
            const index o = after.pick(open, c.out & vc_mask);
            output& v = m_b.out[o];
            if ((asked & one(o)) == 0) {
                owner_before[o] = v.owner;
            } else {
                const std::uint32_t last = owner_before[o], leads = v.owner;
                if (!(leads <= last && i > last)) continue;
                m_b.in[leads].out = out_before[o];
                won &= ~one(leads);
            }
            asked |= one(o);
            won |= one(i);
            out_before[o] = c.out;
            v.owner = static_cast<std::uint8_t>(i);
            c.out = static_cast<std::uint8_t>(o);
            if (v.credits != 0)
                m_b.credit |= one(i);
            else
                m_b.credit &= ~one(i);
        }
        if (asked == 0) return;
        m_changed = true;
        m_b.free &= ~asked;
        m_va &= ~won;
        if (m_c.va)
            m_b.active_next = won;
        else
            m_b.active |= won;
    }

    SARE_INLINE void allocate_switch(set ready) {
        std::uint32_t asked = 0;
        std::uint8_t winner[N >> S];
        do {
            index i = lowest(ready);
            const index port = i >> S;
            const set mine = ready & (port_mask << (i & ~index{vc_mask}));
            ready ^= mine;
            if ((mine & (mine - 1)) != 0) i = after.pick(mine, m_b.sa_vc[port]);
            const std::uint32_t y = m_b.in[i].out >> S;
            if ((asked >> y & 1) != 0 && !(winner[y] >> S <= m_b.sa_column[y] && port > m_b.sa_column[y]))
                continue;
            asked |= 1u << y;
            winner[y] = static_cast<std::uint8_t>(i);
        } while (ready != 0);
        m_c.flits[0] = m_c.credits[0] = 1;
        for (; asked != 0; asked &= asked - 1) {
            const index y = lowest(asked), i = winner[y];
            m_b.sa_column[y] = static_cast<std::uint8_t>(i >> S);
            m_b.sa_vc[i >> S] = static_cast<std::uint8_t>(i & vc_mask);
            send(i, y);
        }
    }

    SARE_INLINE void send(index i, index out_port) {
        input& c = m_b.in[i];
        const index o = c.out;
        output& v = m_b.out[o];
        const std::uint64_t word = c.front;
        const wire& onward = m_b.wires[out_port].flits;
        m_c.flits[onward.inbox] |= onward.port_bit;
        m_c.flits[onward.flit_at] = word;
        flit::set_vc(m_c.flits[onward.flit_at], static_cast<std::uint32_t>(o) & vc_mask);
        m_c.flits[onward.wake_word] |= onward.wake_bit;
        const wire& back = m_b.wires[i >> S].credits;
        m_c.credits[back.inbox] |= back.port_bit << (i & vc_mask);
        m_c.credits[back.wake_word] |= back.wake_bit;
        ++v.flits;
        if (--v.credits == 0) m_b.credit &= ~one(i);
        const bool more = take_front(i, c);
        if (flit::from_word(word).is_tail()) release(i, c, o, more);
    }

    /// True if there is another flit behind.
    SARE_INLINE bool take_front(index i, input& c) {
        if (--c.count == 0) {
            c.head = 0;
            m_b.present &= ~one(i);
            return false;
        }
        const std::uint32_t place = c.head + 1u == m_c.depth ? 0 : c.head + 1u;
        c.head = static_cast<std::uint8_t>(place);
        c.front = m_b.buffer[place * m_c.in_vcs + i].as_word();
        return true;
    }

    SARE_INLINE void release(index i, input& c, index o, bool more) {
        m_b.active &= ~one(i);
        m_b.free |= one(o);
        m_changed = true;
        if (!more) return;
        route(i, c);
        if (m_c.rc)
            m_b.va_after |= one(i);
        else
            m_va_next |= one(i);
    }

    const plain_cycle<S, N>& m_c;
    block& m_b;
    set m_va, m_va_next;
    bool m_changed = false;  ///< a VC was given or taken back
};

/// Fetches blocks into the cache some steps before their turn, where there are too many to stay there: first
/// the line with the sets and the inbox; later, when these have come, what they say the step will use.
template <int S, int N>
class plain_look_ahead {
    using block = plain_block<S, N>;

  public:
    SARE_INLINE plain_look_ahead(const plain_cycle<S, N>& cycle, std::uint64_t active)
        : m_c(cycle), m_far(active), m_near(active) {
        for (int n = 0; n < 6 && m_far != 0; ++n) fetch_block();
        for (int n = 0; n < 2 && m_near != 0; ++n) fetch_vcs();
    }
    SARE_INLINE void advance() {
        if (m_far != 0) fetch_block();
        if (m_near != 0) fetch_vcs();
    }

  private:
    SARE_INLINE void fetch_block() {
        const std::uint64_t k = lowest(m_far);
        m_far &= m_far - 1;
        __builtin_prefetch(&m_c.block_of(k), 1);
        __builtin_prefetch(m_c.here + m_c.inboxes[k], 1);
    }
    SARE_INLINE void fetch_vcs() {
        const block& b = m_c.block_of(lowest(m_near));
        m_near &= m_near - 1;
        const std::uint64_t word = m_c.here[b.inbox];
        const std::uint64_t credits = N > 32 ? m_c.here[b.inbox + 1] : word & 0xffffffff;
        const std::uint64_t arrived = N > 32 ? word : word >> 32;
        if (credits != 0) __builtin_prefetch(&b.out[lowest(credits)], 1);
        if (arrived != 0) __builtin_prefetch(&b.in[lowest(arrived) << S], 1);
        const auto bid = b.va | b.va_next, leave = (b.active | b.active_next) & b.present & b.credit;
        if (bid != 0) {
            __builtin_prefetch(&b.in[lowest(bid)], 1);
            __builtin_prefetch(&b.out[lowest(b.in[lowest(bid)].want)], 1);
        }
        if (leave != 0) {
            const std::uint64_t i = lowest(leave);
            __builtin_prefetch(&b.wires[i >> S]);
            __builtin_prefetch(&b.wires[b.in[i].out >> S]);
            __builtin_prefetch(&b.out[b.in[i].out], 1);
        }
    }

    const plain_cycle<S, N>& m_c;
    std::uint64_t m_far, m_near;
};

template <int S, int N>
SARE_INLINE void step_plain_group(fabric& f, const router_shape& kind, std::uint32_t word,
                                  std::uint64_t active, cycle_t t) {
    const plain_cycle<S, N> cycle(f, kind, word, t);
    plain_look_ahead<S, N> ahead(cycle, cycle.many ? active : 0);
    std::uint64_t again = 0;
    for (; active != 0; active &= active - 1) {
        if (cycle.many) ahead.advance();
        const std::uint64_t k = lowest(active);
        if (plain_step<S, N>(cycle, cycle.block_of(k)).run()) again |= active & (0 - active);
    }
    if (again == 0) return;
    cycle.next[0] = 1;
    cycle.next[1 + word] |= again;
}

template <int S, int N>
void step_plain(fabric& f, const router_shape& kind, std::uint32_t word, std::uint64_t active, cycle_t t) {
    step_plain_group<S, N>(f, kind, word, active, t);
}

/// The same code with instructions for sets of bits, a tenth fewer in all; for processors that have them.
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_plain_fast(fabric& f, const router_shape& kind, std::uint32_t word,
                                           std::uint64_t active, cycle_t t) {
    step_plain_group<S, N>(f, kind, word, active, t);
}

}  // namespace sare
