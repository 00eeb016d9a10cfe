// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

/// The network interfaces: source queues, injection, ejection, reassembly. What a cycle does with a NIC is
/// one piece of code, so its parts are inlined and stand before what calls them.
namespace sare {

void fabric::send(const message& m) {
    const std::uint32_t id = m_messages.take();
    message_record& record = m_messages[id];
    record.what = m;
    record.next = nic_lane::none;
    record.flits_to_inject = record.flits_to_consume = m.flits;
    nic_lane& lane = m_lanes[m.source * m_classes + m.message_class];
    if (lane.first == nic_lane::none)
        lane.first = id;
    else
        m_messages[lane.last].next = id;
    lane.last = id;
    ++m_messages_waiting;
    if (m_nics[m.source].queued++ == 0) {
        m_injecting[m.source >> 6] |= std::uint64_t{1} << (m.source & 63);
        ++m_injecting_nodes;
    }
}

void fabric::call_when_queued(std::uint32_t node, std::uint32_t level) {
    nic_state& n = m_nics[node];
    if (n.queued <= level) {
        m_room.push_back(node);
        return;
    }
    n.call_level = level;
    n.call_wanted = true;
}

/// Makes the next packet of the message at the front and gives it a virtual channel; false if none has room.
SARE_INLINE bool fabric::start_packet(std::uint32_t node, nic_state& n, nic_lane& lane, cycle_t t) {
    message_record& m = m_messages[lane.first];
    const std::uint32_t flits = m.flits_to_inject < n.max_packet ? m.flits_to_inject : n.max_packet;
    const std::uint32_t need = n.head_needs != 0 ? n.head_needs : flits;
    std::uint32_t vc = lane.vc == lane.last_vc ? lane.first_vc : lane.vc + 1u;
    while (n.vc_credits[vc] < need) {
        if (vc == lane.vc) return false;
        vc = vc == lane.last_vc ? lane.first_vc : vc + 1u;
    }

    lane.vc = static_cast<std::uint8_t>(vc);
    lane.sequence = 0;
    lane.flits_left = flits;
    lane.route_key = static_cast<std::uint16_t>(route_key(lane.number, m.what.destination));
    lane.packet = m_packets.take();
    packet& p = m_packets[lane.packet];
    p.route = route_header{};
    p.route.source = node;
    p.route.destination = m.what.destination;
    p.route.vc_base = lane.first_vc;
    if (m_prepares_headers) m_routing->begin(p.route, n.random);
    p.flits = flits;
    p.message = lane.first;
    p.hops = 0;
    p.generated = m.what.generated;
    p.injected = t;
    if (m.flits_to_inject == m.what.flits) {
        m.injected = t;
        ++m_messages_started;
    }
    m.flits_to_inject -= flits;
    ++n.injected_packets;
    ++m_packets_injected;
    if (m_observer != nullptr) m_observer->packet_injected(node, p, t);
    return true;
}

/// The last flit of a packet has left, and of the message if there is no more of it.
SARE_INLINE void fabric::end_packet(std::uint32_t node, nic_state& n, nic_lane& lane) {
    lane.packet = nic_lane::none;
    const message_record& m = m_messages[lane.first];
    if (m.flits_to_inject != 0) return;
    lane.first = m.next;
    --m_messages_waiting;
    if (--n.queued == 0) {
        m_injecting[node >> 6] ^= std::uint64_t{1} << (node & 63);
        --m_injecting_nodes;
    }
    if (n.call_wanted && n.queued <= n.call_level) {
        n.call_wanted = false;
        m_room.push_back(node);
    }
}

/// Sends a flit of one class if there is one and a credit for it.
SARE_INLINE bool fabric::inject_lane(std::uint32_t node, nic_state& n, nic_lane& lane, cycle_t t) {
    if (lane.packet == nic_lane::none) {
        if (lane.first == nic_lane::none || !start_packet(node, n, lane, t)) return false;
    } else if (n.vc_credits[lane.vc] == 0) {
        return false;
    }
    --n.vc_credits[lane.vc];
    const std::uint32_t left = --lane.flits_left;
    const std::uint32_t kind = (lane.sequence == 0 ? flit::head : 0) | (left == 0 ? flit::tail : 0);
    const std::uint32_t number = lane.sequence == 0 ? lane.route_key : lane.sequence;
    put_flit(n.flits, flit::make_word(lane.packet, number, lane.vc, kind), lane.vc, t);
    n.link_free = t + n.flits_extras.cycles_per_flit;
    ++n.injected_flits;
    ++m_flits_injected;
    m_last_move = t;
    ++lane.sequence;
    if (left == 0) end_packet(node, n, lane);
    return true;
}

/// A flit of the class whose turn it is, or of the next one that can send.
SARE_INLINE void fabric::inject(std::uint32_t node, cycle_t t) {
    nic_state& n = m_nics[node];
    if (n.link_free > t) return;
    std::uint32_t c = n.next_lane;
    for (std::uint32_t k = 0; k < m_classes; ++k) {
        const std::uint32_t next = c + 1 == m_classes ? 0 : c + 1;
        if (inject_lane(node, n, m_lanes[node * m_classes + c], t)) {
            n.next_lane = static_cast<std::uint8_t>(next);
            return;
        }
        c = next;
    }
}

void fabric::inject_all(cycle_t t) {
    for (std::size_t w = 0; w < m_injecting.size(); ++w)
        for (std::uint64_t rest = m_injecting[w]; rest != 0; rest &= rest - 1)
            inject(static_cast<std::uint32_t>(w * 64) + lowest(rest), t);
}

SARE_INLINE void fabric::finish_packet(std::uint32_t node, nic_state& n, std::uint32_t id, cycle_t t) {
    packet& p = m_packets[id];
    if (m_keyed)
        p.hops = m_hops_to[static_cast<std::size_t>(node) * routers() + m_nic_router[p.route.source]];
    const std::uint32_t message = p.message;
    ++n.consumed_packets;
    ++m_packets_consumed;
    m_flit_hops += std::uint64_t{p.flits} * p.hops;
    if (m_observer != nullptr) m_observer->packet_consumed(node, p, t);
    message_record& m = m_messages[message];
    m.flits_to_consume -= p.flits;
    m_packets.give_back(id);
    if (m.flits_to_consume != 0) return;
    if (m_observer != nullptr) m_observer->message_consumed(m, t);
    if (m_wants_deliveries || (m.what.tag >> 63) != 0)
        m_arrivals.push_back({node, message});
    else
        m_messages.give_back(message);
}

void fabric::report_out_of_place(std::uint32_t node, const flit& f) {
    throw protocol_error("node " + std::to_string(node) + " vc " + std::to_string(f.vc) + ": flit " +
                         std::to_string(f.sequence) + " of packet " + std::to_string(f.packet) +
                         " came out of place");
}

SARE_INLINE void fabric::consume(std::uint32_t node, nic_state& n, const flit& f, cycle_t t) {
    // A virtual channel carries one packet at a time, whole and in order, to the node it is for.
    std::uint64_t& expected = n.expected[f.vc];
    const std::uint64_t here = (std::uint64_t{f.packet} << 16) | (f.is_head() ? 0 : f.sequence);
    if (f.is_head() ? expected != 0 || m_packets[f.packet].route.destination != node : expected != here)
        report_out_of_place(node, f);
    expected = f.is_tail() ? 0 : here + 1;
    put_credit(n.credits, n.credits_extras, f.vc, t);
    ++n.consumed_flits;
    ++m_flits_consumed;
    m_last_move = t;
    if (f.is_tail()) finish_packet(node, n, f.packet, t);
}

SARE_INLINE void fabric::take_credits(nic_state& n, std::uint32_t rest, std::uint16_t* counts) {
    for (; rest != 0; rest &= rest - 1) {
        const std::uint32_t vc = lowest(rest);
        std::uint32_t count = 1;
        if (m_batched) {
            count = counts[vc];
            counts[vc] = 0;
        }
        n.vc_credits[vc] = static_cast<std::uint16_t>(n.vc_credits[vc] + count);
        if (n.vc_credits[vc] > n.depth) throw protocol_error("more credits came back to a NIC than it spent");
    }
}

SARE_INLINE void fabric::run_nic(std::uint32_t node, cycle_t t) {
    nic_state& n = m_nics[node];
    std::uint64_t* const here = plane(t);
    const std::uint64_t word = here[n.inbox];
    here[n.inbox] = 0;
    const auto credits = static_cast<std::uint32_t>(word);
    if (credits != 0) take_credits(n, credits, reinterpret_cast<std::uint16_t*>(here + n.flit_at + 1));
    if (credits == word) return;
    flit f = flit::from_word(here[n.flit_at]);
    if (m_all_plain) f.vc = static_cast<std::uint8_t>(lowest(word >> 32));
    consume(node, n, f, t);
}

/// NICs of one word of the bits to wake.
void fabric::run_nics(std::uint32_t word, std::uint64_t active, cycle_t t) {
    for (; active != 0; active &= active - 1) run_nic(word * 64 + lowest(active), t);
}

}  // namespace sare
