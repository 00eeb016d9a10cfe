// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/fabric.h"

/// One cycle of a plain router (see plain_block): the same machine as router_step.h, written for the number of
/// instructions. Numbers of VCs are port << S | vc throughout.
namespace sare {

#define SARE_INLINE inline __attribute__((always_inline))

template <int S, int N>
class plain_step {
    using block = plain_block<S, N>;
    static constexpr std::uint64_t port_mask = (std::uint64_t{1} << (1 << S)) - 1;  ///< VCs of one port

  public:
    SARE_INLINE plain_step(fabric& f, block& b, cycle_t t)
        : m_b(b), m_k(*b.shape), m_packets(&f.m_packets[0]), m_f(f), m_now(static_cast<std::uint32_t>(t)) {
        m_after_rc = m_k.rc == 0 ? &b.va : &b.ends[(m_now + m_k.rc) % 4].va;
        m_after_va = m_k.va == 0 ? &b.active : &b.ends[(m_now + m_k.va) % 4].active;
        m_flit_plane = f.plane(t + m_k.flit_delay);
        m_credit_plane = f.plane(t + m_k.credit_delay);
    }

    SARE_INLINE void run() {
        auto& done = m_b.ends[m_now % 4];
        m_b.va |= done.va;
        m_b.active |= done.active;
        done = {};
        read_inbox();
        if ((m_b.va) != 0) allocate_vcs();
        const std::uint64_t ready = m_b.active & m_b.present & m_b.credit;
        if (ready != 0) allocate_switch(ready);
        // Once more in the next cycle if anything is due or may succeed then. Heads for which no VC is free
        // sleep until one is: release() says so.
        const auto& due = m_b.ends[(m_now + 1) % 4];
        if ((due.va | due.active | (m_b.active & m_b.present & m_b.credit)) != 0 || m_again) wake(1);
    }

  private:
    SARE_INLINE void wake(std::uint32_t delay) {
        std::uint64_t* p = m_f.plane(m_now + delay);
        p[0] = 1;
        p[m_b.wake_word] |= m_b.wake_bit;
    }

    SARE_INLINE void read_inbox() {
        std::uint64_t* inbox = m_f.plane(m_now) + m_b.inbox;
        std::uint64_t credits = inbox[1];
        std::uint64_t ports = inbox[0];
        inbox[0] = inbox[1] = 0;
        for (; credits != 0; credits &= credits - 1) {
            out_vc& v = m_b.out[lowest(credits)];
            ++v.credits;
            if (v.owner != out_vc::no_owner) m_b.credit |= std::uint64_t{1} << v.owner;
        }
        for (; ports != 0; ports &= ports - 1) {
            const std::uint32_t port = lowest(ports);
            take_flit(port, inbox[2 + port]);
        }
    }

    SARE_INLINE void take_flit(std::uint32_t port, std::uint64_t word) {
        const flit f = flit::from_word(word);
        const std::uint32_t i = port << S | f.vc;
        in_vc& c = m_b.in[i];
        std::uint32_t place = std::uint32_t{c.head} + c.count;
        if (place >= m_k.params.depth) place -= m_k.params.depth;
        m_b.buffer[place * m_k.in_vcs + i] = f;
        if (c.count++ != 0) return;
        m_b.present |= std::uint64_t{1} << i;
        if (f.is_head()) {
            route(c, f.packet);
            *m_after_rc |= std::uint64_t{1} << i;
        }
    }

    SARE_INLINE void route(in_vc& c, std::uint32_t id) {
        packet& p = m_packets[id];
        ++p.hops;
        if (m_b.routes == nullptr) return ask_routing(c, p.route);
        const route_candidate& way = m_b.routes[p.route.destination];
        c.out_port = way.port;
        c.vcs = static_cast<std::uint16_t>(way.vcs << p.route.vc_base);
    }

    void ask_routing(in_vc& c, route_header& header) {
        const auto i = static_cast<std::uint32_t>(&c - m_b.in);
        route_set ways;
        m_f.m_routing->route(m_b.id, i >> S, i & ((1 << S) - 1), header, ways);
        c.out_port = ways.candidates[0].port;
        c.vcs = static_cast<std::uint16_t>(ways.candidates[0].vcs << header.vc_base);
    }

    /// Separable, input first. A request that comes in beats the one that leads its column if round robin, which
    /// starts after who was served last, meets it first.
    SARE_INLINE void allocate_vcs() {
        std::uint64_t asked = 0;
        std::uint8_t columns[N], winner[N];
        std::uint32_t n = 0;
        for (std::uint64_t rest = m_b.va; rest != 0; rest &= rest - 1) {
            const std::uint32_t i = lowest(rest);
            const in_vc& c = m_b.in[i];
            const std::uint32_t base = std::uint32_t{c.out_port} << S;
            const std::uint64_t open = (m_b.free >> base) & c.vcs;
            if (open == 0) continue;
            const std::uint32_t o = base | round_robin(open, m_b.va_row[i]);
            if (((asked >> o) & 1) == 0) {
                asked |= std::uint64_t{1} << o;
                columns[n++] = static_cast<std::uint8_t>(o);
            } else if (!(winner[o] <= m_b.va_column[o] && i > m_b.va_column[o])) {
                continue;
            }
            winner[o] = static_cast<std::uint8_t>(i);
        }
        if (n == 0) return;
        m_b.free &= ~asked;
        std::uint64_t won = 0;
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t o = columns[k], i = winner[o];
            in_vc& c = m_b.in[i];
            out_vc& v = m_b.out[o];
            m_b.va_column[o] = static_cast<std::uint8_t>(i);
            m_b.va_row[i] = c.out_vc = static_cast<std::uint8_t>(o & ((1 << S) - 1));
            v.owner = static_cast<std::uint16_t>(i);
            c.out = static_cast<std::uint16_t>(o);
            won |= std::uint64_t{1} << i;
            if (v.credits != 0) m_b.credit |= std::uint64_t{1} << i;
            else m_b.credit &= ~(std::uint64_t{1} << i);
        }
        m_b.va &= ~won;
        *m_after_va |= won;
        // A head that lost to another tries again; it slept if nothing was free.
        m_again = m_b.va != 0;
    }

    SARE_INLINE void allocate_switch(std::uint64_t ready) {
        std::uint64_t asked = 0;
        std::uint8_t columns[N >> S], winner[N >> S], chosen[N >> S];
        std::uint32_t n = 0;
        do {
            const std::uint32_t port = lowest(ready) >> S;
            const std::uint64_t vcs = (ready >> (port << S)) & port_mask;
            ready &= ~(port_mask << (port << S));
            const std::uint32_t i = port << S | round_robin(vcs, m_b.sa_vc[port]);
            const std::uint32_t y = m_b.in[i].out_port;
            chosen[port] = static_cast<std::uint8_t>(i);
            if (((asked >> y) & 1) == 0) {
                asked |= std::uint64_t{1} << y;
                columns[n++] = static_cast<std::uint8_t>(y);
            } else if (!(winner[y] <= m_b.sa_column[y] && port > m_b.sa_column[y])) {
                continue;
            }
            winner[y] = static_cast<std::uint8_t>(port);
        } while (ready != 0);
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t y = columns[k], port = winner[y], i = chosen[port];
            m_b.sa_column[y] = static_cast<std::uint8_t>(port);
            m_b.sa_vc[port] = static_cast<std::uint8_t>(i & ((1 << S) - 1));
            send(i, port, y);
        }
    }

    SARE_INLINE void send(std::uint32_t i, std::uint32_t port, std::uint32_t out_port) {
        in_vc& c = m_b.in[i];
        out_vc& v = m_b.out[c.out];
        const std::uint64_t bit = std::uint64_t{1} << i;
        flit f = m_b.buffer[c.head * m_k.in_vcs + i];
        if (--c.count == 0) {
            c.head = 0;
            m_b.present &= ~bit;
        } else if (++c.head == m_k.params.depth) {
            c.head = 0;
        }
        ++v.flits;
        f.vc = c.out_vc;
        const wire& onward = m_b.wires[out_port].flits;
        m_flit_plane[onward.inbox] |= onward.port_bit;
        m_flit_plane[onward.flit_at] = f.as_word();
        m_flit_plane[onward.wake_word] |= onward.wake_bit;
        m_flit_plane[0] = 1;
        const wire& back = m_b.wires[port].credits;
        m_credit_plane[back.inbox + 1] |= back.port_bit << (i & ((1 << S) - 1));
        m_credit_plane[back.wake_word] |= back.wake_bit;
        m_credit_plane[0] = 1;
        if (--v.credits == 0) m_b.credit &= ~bit;
        if (f.is_tail()) release(i, bit, c, v);
    }

    SARE_INLINE void release(std::uint32_t i, std::uint64_t bit, in_vc& c, out_vc& v) {
        v.owner = out_vc::no_owner;
        m_b.active &= ~bit;
        m_b.free |= std::uint64_t{1} << c.out;
        m_again |= m_b.va != 0;
        if (c.count == 0) return;
        route(c, m_b.buffer[c.head * m_k.in_vcs + i].packet);
        m_b.ends[(m_now + 1 + m_k.rc) % 4].va |= bit;
        if (m_k.rc != 0) wake(1 + m_k.rc);
    }

    block& m_b;
    const router_shape& m_k;
    packet* const m_packets;
    fabric& m_f;
    const std::uint32_t m_now;
    std::uint64_t *m_after_rc, *m_after_va;  ///< sets that a head is in when the stage ends
    std::uint64_t *m_flit_plane, *m_credit_plane;
    bool m_again = false;
};

#undef SARE_INLINE

template <int S, int N>
void step_plain(fabric& f, void* block, cycle_t t) {
    plain_step<S, N>(f, *static_cast<plain_block<S, N>*>(block), t).run();
}

}  // namespace sare
