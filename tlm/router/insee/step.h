// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/shared_pool.h"
#include "tlm/router/insee/block.h"
#include "tlm/router/insee/congestion.h"
#include "tlm/router/insee/contest.h"
#include "tlm/router_api/protocol_error.h"
#include "tlm/router_api/router_context.h"

#include <algorithm>
#include <string>

/// One cycle of a phit-level router, as docs/insee.md describes it: phits and credits are taken in, heads
/// ask, output VCs are given away, links and nodes take a phit each. A phit that comes in a cycle can leave
/// in it.
namespace sare {

/// References that the cycles of all routers of a bank use, beside the state of the router.
struct phit_surroundings {
    const phit_shape& shape;       ///< parameters and sizes of the routers
    router_context& net;           ///< the network
    link_ring& ring;               ///< planes of the links of the bank's clock domain
    shared_pool<packet>& packets;  ///< packets of the network, by slot
    /// Counter of the bank for global congestion control; null: nothing limits injection.
    global_congestion::counter* congestion;
};

/// A cycle, and the planes (link_ring.h) into which the bank's usual links (phit_link) write in this cycle.
struct phit_cycle {
    cycle_t now = 0;                                     ///< number of the cycle, of the routers' clock
    std::uint64_t *flits = nullptr, *credits = nullptr;  ///< planes in which phits, and credits, are read
};

/// Runs one cycle of one router; an object is made for one router and one cycle. An *input* is a transit or
/// injection queue, an *output* an output VC (see phit_shape).
template <int W>
class phit_step {
    using B = phit_block<W>;
    using set = typename B::set;

  public:
    /// Keeps references to `around` and to `b`, the router, and a copy of `cycle`.
    phit_step(const phit_surroundings& around, B& b, const phit_cycle& cycle)
        : m_c(around), m_b(b), m_k(around.shape), m_cycle(cycle), m_t(cycle.now), m_vcs(m_k.vcs) {}

    /// Runs the cycle; call it once. Throws protocol_error for a phit that finds its queue full.
    SARE_INLINE void run() {
        read_inbox();
        if (m_k.injection != 0) fill_injection_queues();
        if (m_b.changed && m_b.asking.any()) {
            m_b.changed = false;
            allocate();
        }
        // Nodes come before links: otherwise a queue could give a phit to a link and, in the same cycle, the
        // next one to a node.
        if (m_b.eating.any()) consume();
        for (const std::uint64_t port : members(m_b.sending)) send_by(static_cast<std::uint32_t>(port));
        if (some(m_b.sending) || m_b.eating.any() || (m_b.changed && m_b.asking.any()))
            m_b.inbox.wake(m_c.ring, m_t + 1);
    }

    /// True if VC `vc` of output port way.port may take the packet at the front of input `i`, as flow control
    /// says. `credits`: room, in phits, in the queue behind that VC. Public for phit_bank::has_credits().
    bool may_take(std::uint32_t i, const route_candidate& way, std::uint32_t vc, std::uint32_t credits) const;

  private:
    // ---- arrivals
    SARE_INLINE void read_inbox() {
        std::uint64_t* inbox = m_b.inbox.in(m_c.ring, m_t);
        for (int k = 0; k < W; ++k) {
            for (std::uint64_t rest = inbox[B::port_words + k]; rest != 0; rest &= rest - 1)
                take_credit(static_cast<std::uint32_t>(k * 64 + lowest(rest)));
            inbox[B::port_words + k] = 0;
        }
        typename B::port_set come;
        take_set(come, inbox);
        for (const std::uint64_t from : members(come)) {
            const auto port = static_cast<std::uint32_t>(from);
            const flit f = flit::from_word(inbox[plain_inbox::flit_of(port, B::credit_sets, B::port_words)]);
            take_phit(port * m_vcs + f.vc, f);
        }
    }

    /// Adds a credit to output VC o. A packet needs room for all its phits, so allocation is tried again only
    /// when there is room for one more packet.
    void take_credit(std::uint32_t o) {
        phit_output& out = m_b.outputs[o];
        if (++out.credits % m_k.params.packet == 0) m_b.changed = true;
    }

    /// Puts phit `f` into the queue of input i. Throws protocol_error if the queue is full.
    void take_phit(std::uint32_t i, const flit& f) {
        phit_queue& q = m_b.queues[i];
        if (++q.phits > m_k.room) report_full();
        if (f.is_head()) return take_packet(i, f.packet);
        if (q.packets != 1 || q.phits != 1) return;  // the first packet has other phits here
        resume(i, q);
    }

    /// Puts packet `id` (slot) behind the packets of input i.
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

    /// Lets input i, with queue q, send again: a phit has come into the empty queue, whose first packet may
    /// have an output VC or a node.
    void resume(std::uint32_t i, const phit_queue& q) {
        if (q.consumed) return m_b.eating.set(i);
        if (q.out != phit_queue::none) make_ready(q.out);
    }

    /// Notes that output VC o has a phit to send; make_unready() notes that VC `vc` of a port has none.
    void make_ready(std::uint32_t o) {
        const std::uint32_t port = o / m_vcs;
        m_b.ports[port].ready = static_cast<std::uint16_t>(m_b.ports[port].ready | 1u << (o - port * m_vcs));
        add_member(m_b.sending, port);
    }
    void make_unready(std::uint32_t port, std::uint32_t vc) {
        phit_port& p = m_b.ports[port];
        p.ready = static_cast<std::uint16_t>(p.ready & ~(1u << vc));
        if (p.ready == 0) remove_member(m_b.sending, port);
    }

    /// Finds the candidates of the packet that has come to the front of input i, with queue q.
    void start_packet(std::uint32_t i, phit_queue& q) {
        q.front = m_b.slots[i * m_k.slots + q.first];
        packet& p = m_c.packets[q.front];
        const std::uint32_t port = is_new(i) ? m_k.directions : q.port;
        p.hops = static_cast<std::uint16_t>(p.hops + m_k.counts_hops);
        q.left = static_cast<std::uint16_t>(p.flits);
        q.sent = 0;
        route_set ways;
        q.candidates = 0;
        m_c.net.find_candidates(m_b.id, port, q.vc, p.route, ways);
        q.candidates = static_cast<std::uint8_t>(ways.size);
        route_candidate* kept = m_b.ways + i * m_k.ways;
        for (std::uint32_t n = 0; n < ways.size; ++n) {
            kept[n] = ways.candidates[n];
            kept[n].vcs = static_cast<std::uint16_t>(kept[n].vcs << p.route.vc_base);
        }
        q.asked = m_t;
        if (m_b.links[kept[0].port].node != phit_link::no_node &&
            m_k.params.consumption == consumption_mode::multiple) {
            q.consumed = true;
            q.node = kept[0].port;
            return m_b.eating.set(i);
        }
        m_b.asking.set(i);
        m_b.changed = true;
    }

    /// Takes the first packet, whose tail has left, out of queue q of input i.
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
    /// Returns the node whose injection queue is input i.
    std::uint32_t node_of(std::uint32_t i) const {
        return m_b.links[m_k.directions + (i - m_k.transit) / m_k.injection].node;
    }
    bool drops(injection_drop which) const { return m_k.params.drop == which; }
    void drop_first(std::uint32_t i);
    void drop(std::uint32_t node, std::uint32_t id);

    // ---- requests and arbitration: allocate.h
    /// An input that asks for an output VC, by their numbers.
    struct request {
        std::uint16_t input, output;
    };
    static constexpr std::uint32_t no_output = 0xffffffff;  ///< no output VC
    void allocate();
    std::uint32_t wish_of(std::uint32_t i);
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
    arbiter_state arbiter_at(std::uint32_t o) const {
        return {&m_b.outputs[o].turn, m_b.remembered + std::size_t{o} * m_k.words_each, m_k.inputs, o,
                m_k.words_each};
    }
    phit_contest<W> contest() const { return {m_c.net, m_k, m_b}; }
    void grant(std::uint32_t i, std::uint32_t o);
    /// True if input i is an injection queue, so that its packets are new in the network.
    bool is_new(std::uint32_t i) const { return i >= m_k.transit; }
    /// True if a port leads to a node whose queues are in the router, or to another network of a hierarchy.
    bool leaves_network(std::uint32_t port) const {
        return m_k.params.owns_nodes() && port >= m_k.directions;
    }
    /// Returns the input port of packets that go straight on by output port `port`.
    std::uint32_t opposite(std::uint32_t port) const {
        if (one_way()) return port;
        if (!m_k.minus_last) return port ^ 1U;
        return port < m_k.axes ? port + m_k.axes : port < m_k.directions ? port - m_k.axes : port;
    }
    /// Returns the number of the axis, from 0, that a port leads along.
    std::uint32_t axis_of(std::uint32_t port) const {
        if (one_way()) return port;
        return m_k.minus_last ? port % m_k.axes : port / 2;
    }
    /// True if links lead along the axes in one direction only.
    bool one_way() const { return m_k.axes == m_k.directions; }

    // ---- departures
    /// Sends a phit by output port `port`, if its link takes one; `port` must be in phit_block::sending.
    SARE_INLINE void send_by(std::uint32_t port) {
        phit_port& p = m_b.ports[port];
        const phit_link& link = m_b.links[port];
        if (!link.usual_flits && (p.free_at > m_t || is_waking(p, link))) return;
        // A link stays with a packet for as long as the packet has a phit to send.
        const std::uint32_t vc =
            p.within && is_member(p.ready, p.last) ? p.last : round_robin(p.ready, p.last);
        const std::uint32_t o = port * m_vcs + vc;
        p.last = static_cast<std::uint8_t>(vc);
        p.within = true;
        phit_output& out = m_b.outputs[o];
        const std::uint32_t i = out.owner;
        phit_queue& q = m_b.queues[i];
        ++out.flits;
        if (link.node != phit_link::no_node) {
            count_consumed(link.node);
            leave(i, q);
            if (q.left == 0) m_c.net.injection().packet_arrives(node_id(link.node), packet_id(q.front), m_t);
        } else {
            --out.credits;
            put_phit(link, p, word_of(q, vc), vc);
            leave(i, q);
        }
        if (q.left == 0) {
            out.owner = phit_output::no_owner;
            p.within = false;
            m_b.changed = true;
            make_unready(port, vc);
            end_packet(i, q);
        } else if (q.phits == 0) {
            make_unready(port, vc);
        }
    }

    /// Returns the next phit of the first packet of queue q, as the word of a flit on VC `vc`.
    SARE_INLINE std::uint64_t word_of(const phit_queue& q, std::uint32_t vc) const {
        const std::uint32_t tail = q.left == 1 ? flit::tail : 0;
        if (q.sent != 0) return flit::make_word(q.front, q.sent, vc, tail);
        return flit::make_word(q.front, m_c.net.head_number(packet_id(q.front)), vc,
                               flit::head | tail);  // other kinds of routers read the number
    }

    /// Writes phit `word` on VC `vc` to `link`, the link of port `p`.
    SARE_INLINE void put_phit(const phit_link& link, phit_port& p, std::uint64_t word, std::uint32_t vc) {
        if (link.usual_flits) return link_ring::put_flit_in(m_cycle.flits, link.flits, word, vc);
        m_c.ring.put_flit(link.flits, word, vc, m_t);
        p.free_at = m_t + link.flits_extras.cycles_per_flit;
        if (const std::uint32_t s = link.flits_extras.sleeps; s != 0)
            m_c.net.sleeper(s - 1).carry(m_t, link.flits_extras.cycles_per_flit);
    }
    /// True if `link`, the link of port p, cannot take a phit now since it sleeps or wakes. A sleeping link
    /// begins to wake.
    bool is_waking(phit_port& p, const phit_link& link) {
        const std::uint32_t s = link.flits_extras.sleeps;
        if (s == 0) return false;
        p.free_at = m_c.net.sleeper(s - 1).ready(m_t, m_t);
        return p.free_at > m_t;
    }

    /// Takes a phit out of queue q of input i. Sends a credit back, or counts the phit as injected if the
    /// input is an injection queue.
    SARE_INLINE void leave(std::uint32_t i, phit_queue& q) {
        if (q.port != phit_queue::none)
            give_credit(m_b.links[q.port], q.vc);
        else
            leave_node(i, q);
        --q.left;
        ++q.sent;
        if (--q.phits % m_k.params.packet == 0) m_b.changed = true;  // there may be room for a bubble now
    }
    SARE_INLINE void give_credit(const phit_link& link, std::uint32_t vc) {
        if (link.usual_credits)
            link_ring::put_credit_in(m_cycle.credits, link.credits, vc);
        else
            m_c.ring.put_credit(link.credits, link.credits_extras, vc, m_t);
    }
    /// Counts a phit, of injection queue i, that enters the network.
    void leave_node(std::uint32_t i, const phit_queue& q) {
        const std::uint32_t node = node_of(i);
        if (q.sent == 0) m_c.net.injection().packet_leaves(node_id(node), packet_id(q.front), m_t);
        m_c.net.injection().flit_injected(node);
        if (m_c.congestion != nullptr) m_c.congestion->enters();
    }

    /// Counts a phit that node `node` consumes.
    void count_consumed(std::uint32_t node) {
        m_c.net.injection().flit_consumed(node);
        if (m_c.congestion != nullptr) m_c.congestion->leaves();
    }

    /// Lets each node take a phit from every input that has one for it without arbitration.
    void consume() {
        set all = m_b.eating;
        all.for_each([this](std::uint32_t i) {
            phit_queue& q = m_b.queues[i];
            const std::uint32_t node = m_b.links[q.node].node;
            ++m_b.outputs[q.node * m_vcs].flits;
            count_consumed(node);
            leave(i, q);
            if (q.left != 0) {
                if (q.phits == 0) m_b.eating.clear(i);
                return;
            }
            m_b.eating.clear(i);
            m_c.net.injection().packet_arrives(node_id(node), packet_id(q.front), m_t);
            end_packet(i, q);
        });
    }

    const phit_surroundings& m_c;
    B& m_b;
    const phit_shape& m_k;
    const phit_cycle m_cycle;
    const cycle_t m_t;
    const std::uint32_t m_vcs;
};

}  // namespace sare

#include "tlm/router/insee/allocate.h"
#include "tlm/router/insee/injection.h"
