// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/protocol_error.h"
#include "tlm/router/insee/block.h"
#include "tlm/router/insee/congestion.h"

#include <algorithm>
#include <string>

/// One cycle of a phit-level router, as docs/insee.md has it: what has come is taken, heads ask, output VCs
/// are given away, links and nodes take a phit each. A phit that comes in a cycle can leave in it.
namespace sare {

/// What a router works with that is not its own.
struct phit_surroundings {
    const phit_shape& shape;
    fabric& net;
    planes& ring;
    shared_pool<packet>& packets;
    global_congestion* congestion;  ///< of the network; null: nothing limits it
};

template <int W>
class phit_step {
    using B = phit_block<W>;
    using set = typename B::set;

  public:
    phit_step(const phit_surroundings& around, B& b, cycle_t t)
        : m_c(around), m_b(b), m_k(around.shape), m_t(t), m_vcs(m_k.vcs) {}

    void run() {
        if (m_c.congestion != nullptr) m_c.congestion->look(m_t);
        read_inbox();
        if (m_k.injection != 0) fill_injection_queues();
        if (m_b.changed && m_b.asking.any()) {
            m_b.changed = false;
            allocate();
        }
        // In this order: a queue must not give a phit to a link and the next one to its node.
        if (m_b.eating.any()) consume();
        for (std::uint64_t rest = m_b.sending; rest != 0; rest &= rest - 1)
            send_by(static_cast<std::uint32_t>(lowest(rest)));
        if (m_b.sending != 0 || m_b.eating.any() || (m_b.changed && m_b.asking.any()))
            m_b.inbox.wake(m_c.ring, m_t + 1);
    }

    /// Also for what looks on.
    bool may_take(std::uint32_t i, const route_candidate& way, std::uint32_t vc, std::uint32_t credits) const;

  private:
    // ---- what has come
    void read_inbox() {
        std::uint64_t* inbox = m_b.inbox.in(m_c.ring, m_t);
        for (int k = 0; k < W; ++k) {
            for (std::uint64_t rest = inbox[1 + k]; rest != 0; rest &= rest - 1)
                take_credit(static_cast<std::uint32_t>(k * 64 + lowest(rest)));
            inbox[1 + k] = 0;
        }
        for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
            const auto port = static_cast<std::uint32_t>(lowest(rest));
            const flit f = flit::from_word(inbox[plain_inbox::flit_of(port, B::credit_sets)]);
            take_phit(port * m_vcs + f.vc, f);
        }
        inbox[0] = 0;
    }

    /// Whole packets are asked room for: nothing changes before there is a place for one more.
    void take_credit(std::uint32_t o) {
        phit_output& out = m_b.outputs[o];
        if (++out.credits % m_k.params.packet == 0) m_b.changed = true;
    }

    void take_phit(std::uint32_t i, const flit& f) {
        phit_queue& q = m_b.queues[i];
        if (++q.phits > m_k.params.queue * m_k.params.packet) report_full();
        if (f.is_head()) return take_packet(i, f.packet);
        if (q.packets != 1 || q.phits != 1) return;  // the first packet has others here
        resume(i, q);
    }

    void take_packet(std::uint32_t i, std::uint32_t id) {
        phit_queue& q = m_b.queues[i];
        std::uint32_t place = std::uint32_t{q.first} + q.packets;
        if (place >= m_k.slots) place -= m_k.slots;
        m_b.slots[i * m_k.slots + place] = id;
        if (q.packets++ == 0) start_packet(i, q);
    }

    [[noreturn]] void report_full() const {
        throw protocol_error("router " + std::to_string(m_b.id) + ": a phit came for a full queue");
    }

    /// A phit of a packet that has its way came into an empty queue.
    void resume(std::uint32_t i, const phit_queue& q) {
        if (q.consumed) return m_b.eating.set(i);
        if (q.out != phit_queue::none) make_ready(q.out);
    }

    void make_ready(std::uint32_t o) {
        const std::uint32_t port = o / m_vcs;
        m_b.ports[port].ready = static_cast<std::uint16_t>(m_b.ports[port].ready | 1u << (o - port * m_vcs));
        m_b.sending |= std::uint64_t{1} << port;
    }
    void make_unready(std::uint32_t o) {
        const std::uint32_t port = o / m_vcs;
        m_b.ports[port].ready =
            static_cast<std::uint16_t>(m_b.ports[port].ready & ~(1u << (o - port * m_vcs)));
        if (m_b.ports[port].ready == 0) m_b.sending &= ~(std::uint64_t{1} << port);
    }

    /// The head of a packet is at the front of input i.
    void start_packet(std::uint32_t i, phit_queue& q) {
        packet& p = m_c.packets[m_b.slots[i * m_k.slots + q.first]];
        const bool transit = i < m_k.transit;
        const std::uint32_t port = transit ? i / m_vcs : m_k.directions;
        p.hops = static_cast<std::uint16_t>(p.hops + m_k.counts_hops);
        q.left = static_cast<std::uint16_t>(p.flits);
        route_set ways;
        q.candidates = 0;
        m_c.net.find_ways(m_b.id, port, transit ? i - port * m_vcs : 0, p.route, ways);
        q.candidates = static_cast<std::uint8_t>(ways.size);
        route_candidate* kept = m_b.ways + i * m_k.ways;
        for (std::uint32_t n = 0; n < ways.size; ++n) {
            kept[n] = ways.candidates[n];
            kept[n].vcs = static_cast<std::uint16_t>(kept[n].vcs << p.route.vc_base);
        }
        q.asked = m_t;
        if (m_b.nodes[kept[0].port] != no_node && m_k.params.consumption == consumption_mode::multiple) {
            q.consumed = true;
            q.node = kept[0].port;
            return m_b.eating.set(i);
        }
        m_b.asking.set(i);
        m_b.changed = true;
    }

    /// The tail of the first packet has left.
    void end_packet(std::uint32_t i, phit_queue& q) {
        q.out = phit_queue::none;
        q.consumed = false;
        if (++q.first == m_k.slots) q.first = 0;
        if (--q.packets != 0) start_packet(i, q);
    }

    // ---- injection queues: injection.h
    void fill_injection_queues();
    void fill_from(std::uint32_t node, std::uint32_t first_input);
    std::uint32_t queue_for(const route_header& header, std::uint32_t first_input) const;
    std::uint32_t shortest_of(std::uint64_t queues, std::uint32_t first_input) const;
    std::uint32_t longest_way(std::uint32_t destination, std::uint64_t queues) const;

    // ---- requests and arbitration: allocate.h
    struct request {
        std::uint16_t input, output;
    };
    static constexpr std::uint32_t no_output = 0xffffffff;
    void allocate();
    std::uint32_t output_for(std::uint32_t i);
    std::uint32_t open_vcs(std::uint32_t i, const route_candidate& way) const;
    template <class F>
    std::uint32_t any_of(std::uint32_t i, F wanted);
    std::uint32_t escape(std::uint32_t i);
    std::uint32_t keep_vc(std::uint32_t i, const route_candidate& way);
    std::uint32_t most_room(std::uint32_t i);
    std::uint32_t next_bet(std::uint32_t i);
    std::uint32_t same_vc(std::uint32_t i, const route_candidate& way);
    std::uint32_t any_adaptive(std::uint32_t i);
    std::uint32_t winner(const request* first, const request* last);
    std::uint64_t rank(const request& r);
    void grant(std::uint32_t i, std::uint32_t o);
    bool is_new(std::uint32_t i) const { return i >= m_k.transit; }
    /// To a node, or to another network of a hierarchy.
    bool leaves_network(std::uint32_t port) const {
        return m_k.params.owns_nodes() && port >= m_k.directions;
    }
    /// The port by which packets come in that go straight on by `port`.
    std::uint32_t opposite(std::uint32_t port) const {
        const std::uint32_t axes = m_k.directions / 2;
        if (!m_k.minus_last) return port ^ 1U;
        return port < axes ? port + axes : port < m_k.directions ? port - axes : port;
    }
    std::uint32_t axis_of(std::uint32_t port) const {
        return m_k.minus_last ? port % (m_k.directions / 2) : port / 2;
    }

    // ---- phits leave
    /// What is to be sent wakes a link that sleeps.
    bool is_waking(phit_port& p, std::uint32_t port) {
        const std::uint32_t s = m_b.extras[port].flits.sleeps;
        if (s == 0) return false;
        p.free_at = m_c.net.sleeper(s - 1).ready(m_t, m_t);
        return p.free_at > m_t;
    }
    void send_by(std::uint32_t port) {
        phit_port& p = m_b.ports[port];
        if (p.free_at > m_t || is_waking(p, port)) return;
        // A link stays with a packet for as long as that has something to send.
        const std::uint32_t vc =
            p.within && is_member(p.ready, p.last) ? p.last : round_robin(p.ready, p.last);
        const std::uint32_t o = port * m_vcs + vc;
        p.last = static_cast<std::uint8_t>(vc);
        p.within = true;
        phit_output& out = m_b.outputs[o];
        const std::uint32_t i = out.owner;
        phit_queue& q = m_b.queues[i];
        const std::uint32_t id = m_b.slots[i * m_k.slots + q.first];
        ++out.flits;
        if (m_b.nodes[port] != no_node) {
            count_consumed(m_b.nodes[port]);
            leave(i, q, id);
            if (q.left == 0) m_c.net.packet_arrives(m_b.nodes[port], id, m_t);
        } else {
            --out.credits;
            const packet& what = m_c.packets[id];
            std::uint32_t number = what.flits - q.left;
            const std::uint32_t kind = (number == 0 ? flit::head : 0) | (q.left == 1 ? flit::tail : 0);
            if (number == 0) number = m_c.net.head_number(id);  // for other kinds
            m_c.ring.put_flit(m_b.wires[port].flits, flit::make_word(id, number, vc, kind), vc, m_t);
            p.free_at = m_t + m_b.extras[port].flits.cycles_per_flit;
            if (const std::uint32_t s = m_b.extras[port].flits.sleeps; s != 0)
                m_c.net.sleeper(s - 1).carry(m_t, m_b.extras[port].flits.cycles_per_flit);
            leave(i, q, id);
        }
        if (q.left == 0) {
            out.owner = phit_output::no_owner;
            p.within = false;
            m_b.changed = true;
            make_unready(o);
            end_packet(i, q);
        } else if (q.phits == 0) {
            make_unready(o);
        }
    }

    /// A phit leaves the queue of input i: its place is free again.
    void leave(std::uint32_t i, phit_queue& q, std::uint32_t id) {
        if (!is_new(i)) {
            const std::uint32_t port = i / m_vcs;
            m_c.ring.put_credit(m_b.wires[port].credits, m_b.extras[port].credits, i - port * m_vcs, m_t);
        } else {
            const std::uint32_t node = m_b.nodes[m_k.directions + (i - m_k.transit) / m_k.injection];
            const packet& p = m_c.packets[id];
            if (q.left == p.flits) m_c.net.packet_leaves(node, id, m_t);
            m_c.net.flit_injected(node);
            if (m_c.congestion != nullptr) m_c.congestion->enters();
        }
        --q.left;
        if (--q.phits % m_k.params.packet == 0) m_b.changed = true;  // bubbles
    }

    void count_consumed(std::uint32_t node) {
        m_c.net.flit_consumed(node);
        if (m_c.congestion != nullptr) m_c.congestion->leaves();
    }

    /// Nodes take a phit from every input that has one for them.
    void consume() {
        set all = m_b.eating;
        all.for_each([this](std::uint32_t i) {
            phit_queue& q = m_b.queues[i];
            const std::uint32_t id = m_b.slots[i * m_k.slots + q.first], node = m_b.nodes[q.node];
            ++m_b.outputs[q.node * m_vcs].flits;
            count_consumed(node);
            leave(i, q, id);
            if (q.left != 0) {
                if (q.phits == 0) m_b.eating.clear(i);
                return;
            }
            m_b.eating.clear(i);
            m_c.net.packet_arrives(node, id, m_t);
            end_packet(i, q);
        });
    }

    const phit_surroundings& m_c;
    B& m_b;
    const phit_shape& m_k;
    const cycle_t m_t;
    const std::uint32_t m_vcs;

  public:
    static constexpr std::uint32_t no_node = 0xffffffff;
};

}  // namespace sare

#include "tlm/router/insee/allocate.h"
#include "tlm/router/insee/injection.h"
