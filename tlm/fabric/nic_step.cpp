// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

/// The network interfaces: source queues, injection, ejection, reassembly.
namespace sare {

void fabric::send(const message& m) {
    const std::uint32_t id = m_messages.take();
    message_record& record = m_messages[id];
    record.what = m;
    record.next = nic_lane::none;
    record.flits_to_inject = record.flits_to_consume = m.flits;
    nic_lane& lane = m_lanes[m.source * m_classes + m.message_class];
    if (lane.first == nic_lane::none) lane.first = id;
    else m_messages[lane.last].next = id;
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

void fabric::inject(std::uint32_t node, cycle_t t) {
    nic_state& n = m_nics[node];
    if (n.link_free > t) return;
    nic_lane* lanes = &m_lanes[node * m_classes];
    if (m_classes == 1) {
        inject_lane(node, n, lanes[0], t);
        return;
    }
    for (std::uint32_t k = 0; k < m_classes; ++k) {
        const std::uint32_t c = (n.next_lane + k) % m_classes;
        if (!inject_lane(node, n, lanes[c], t)) continue;
        n.next_lane = static_cast<std::uint8_t>((c + 1) % m_classes);
        return;
    }
}

/// Sends a flit of one class if there is one and a credit for it.
bool fabric::inject_lane(std::uint32_t node, nic_state& n, nic_lane& lane, cycle_t t) {
    if (lane.packet == nic_lane::none) {
        if (lane.first == nic_lane::none) return false;
        start_packet(n, lane, node, t);
        if (lane.packet == nic_lane::none) return false;
    }
    std::uint16_t& credits = m_nic_credits[node * m_vcs + lane.vc];
    if (credits == 0) return false;
    --credits;
    packet& p = m_packets[lane.packet];
    flit f;
    f.packet = lane.packet;
    f.sequence = lane.sequence;
    f.vc = lane.vc;
    const bool last = lane.sequence + 1u == p.flits;
    f.kind = static_cast<std::uint8_t>((lane.sequence == 0 ? flit::head : 0) | (last ? flit::tail : 0));
    put_flit(n.flits, f, t);
    n.link_free = t + n.flits_extras.cycles_per_flit;
    ++n.injected_flits;
    ++m_flits_injected;
    m_last_move = t;
    ++lane.sequence;
    message_record& m = m_messages[p.message];
    if (--m.flits_to_inject == 0) {
        // The message has left the queue.
        lane.first = m.next;
        --m_messages_waiting;
        if (--n.queued == 0) {
            m_injecting[node >> 6] &= ~(std::uint64_t{1} << (node & 63));
            --m_injecting_nodes;
        }
        if (n.call_wanted && n.queued <= n.call_level) {
            n.call_wanted = false;
            m_room.push_back(node);
        }
    }
    if (last) lane.packet = nic_lane::none;
    return true;
}

/// Makes the next packet of the message at the front and gives it a virtual channel, if one has room.
void fabric::start_packet(nic_state& n, nic_lane& lane, std::uint32_t node, cycle_t t) {
    message_record& m = m_messages[lane.first];
    const std::uint32_t flits = m.flits_to_inject < n.max_packet ? m.flits_to_inject : n.max_packet;
    const std::uint32_t per_class = m_vcs / m_classes;
    const std::uint32_t base = m.what.message_class * per_class;
    const std::uint32_t need = n.atomic ? n.depth : n.whole_packets ? flits : 1;
    const std::uint16_t* credits = &m_nic_credits[node * m_vcs];
    std::uint32_t vc = lane.last_vc;
    std::uint32_t tried = 0;
    do {
        vc = vc + 1 == base + per_class ? base : vc + 1;
        if (++tried > per_class) return;
    } while (credits[vc] < need);

    lane.vc = lane.last_vc = static_cast<std::uint8_t>(vc);
    lane.sequence = 0;
    lane.packet = m_packets.take();
    packet& p = m_packets[lane.packet];
    p.route = route_header{};
    p.route.source = m.what.source;
    p.route.destination = m.what.destination;
    p.route.vc_base = static_cast<std::uint8_t>(base);
    if (m_route_table.empty() && m_routing != nullptr) m_routing->begin(p.route, n.random);
    p.flits = flits;
    p.message = lane.first;
    p.hops = 0;
    p.generated = m.what.generated;
    p.injected = t;
    if (m.flits_to_inject == m.what.flits) {
        m.injected = t;
        ++m_messages_started;
    }
    ++n.injected_packets;
    ++m_packets_injected;
    if (m_observer != nullptr) m_observer->packet_injected(node, p, t);
}

void fabric::run_nic(std::uint32_t node, cycle_t t) {
    nic_state& n = m_nics[node];
    std::uint64_t* inbox = plane(t) + n.inbox;
    if (inbox[1] != 0) {
        std::uint16_t* credits = &m_nic_credits[node * m_vcs];
        auto* counts = reinterpret_cast<std::uint16_t*>(inbox + 3);
        for (std::uint64_t rest = inbox[1]; rest != 0; rest &= rest - 1) {
            const std::uint32_t vc = lowest(rest);
            const std::uint32_t count = m_batched ? counts[vc] : 1;
            if (m_batched) counts[vc] = 0;
            credits[vc] = static_cast<std::uint16_t>(credits[vc] + count);
            if (credits[vc] > n.depth) throw protocol_error("more credits came back to a NIC than it spent");
        }
        inbox[1] = 0;
    }
    if (inbox[0] == 0) return;
    inbox[0] = 0;
    consume(node, flit::from_word(inbox[2]), t);
}

void fabric::consume(std::uint32_t node, const flit& f, cycle_t t) {
    nic_state& n = m_nics[node];
    // A virtual channel carries one packet at a time, whole and in order, to the node it is for.
    std::uint64_t& expected = m_expected[node * m_vcs + f.vc];
    const std::uint64_t here = (std::uint64_t{f.packet} << 16) | f.sequence;
    if (f.is_head() ? expected != 0 || m_packets[f.packet].route.destination != node : expected != here)
        throw protocol_error("node " + std::to_string(node) + " vc " + std::to_string(f.vc) + ": flit " +
                             std::to_string(f.sequence) + " of packet " + std::to_string(f.packet) +
                             " came out of place");
    expected = f.is_tail() ? 0 : here + 1;
    put_credit(n.credits, n.credits_extras, f.vc, t);
    ++n.consumed_flits;
    ++m_flits_consumed;
    m_last_move = t;
    if (f.is_tail()) finish_packet(node, f.packet, t);
}

void fabric::finish_packet(std::uint32_t node, std::uint32_t id, cycle_t t) {
    const packet& p = m_packets[id];
    ++m_nics[node].consumed_packets;
    ++m_packets_consumed;
    m_flit_hops += std::uint64_t{p.flits} * p.hops;
    if (m_observer != nullptr) m_observer->packet_consumed(node, p, t);
    message_record& m = m_messages[p.message];
    m.flits_to_consume -= p.flits;
    if (m.flits_to_consume == 0) {
        if (m_observer != nullptr) m_observer->message_consumed(m, t);
        if (m_wants_deliveries || (m.what.tag >> 63) != 0) m_arrivals.push_back({node, p.message});
        else m_messages.give_back(p.message);
    }
    m_packets.give_back(id);
}

}  // namespace sare
