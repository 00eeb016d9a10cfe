// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/nics.h"

#include "tlm/router_api/protocol_error.h"

#include <fmt/format.h>

/// NICs as others see them: source queues with room, source queues whose packets others take (routers that
/// own injection queues, and NICs modelled outside), and flits that break the protocol.
namespace sare {

void nics::call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) {
    const nic_state& n = m_nics[node];
    class_queue& queue = n.queues[message_class];
    queue.call_level = level;
    if (queue.queued <= level) has_room(n, queue);
}

/// Adds a queue to room(), and ends the wish for a call.
void nics::has_room(const nic_state& n, class_queue& queue) {
    queue.call_level = class_queue::none;
    m_room.emplace_back(n.node, static_cast<std::uint32_t>(&queue - n.queues));
}

void nics::report_out_of_place(std::uint32_t node, const flit& f) {
    throw protocol_error(fmt::format("node {} vc {}: flit {} of packet {} came out of place", node, f.vc,
                                     f.is_head() ? 0 : f.sequence, f.packet));
}

const waiting_packet* nics::next_packet(std::uint32_t node, std::uint32_t message_class) {
    nic_state& n = m_nics[node];
    const class_queue& queue = n.queues[message_class];
    if (queue.first == class_queue::none) return nullptr;
    m_waiting.resize(m_queues.size());
    m_held.resize(m_queues.size());
    waiting_packet& w = m_waiting[std::size_t{node} * m_around.classes + message_class];
    if (w.flits != 0) return &w;
    const message_record& m = m_around.messages[queue.first];
    w.flits = m.flits_to_inject < n.max_packet ? m.flits_to_inject : n.max_packet;
    w.route = queue.header;
    w.route.destination = m.what.destination;
    if (m_prepares != nullptr) m_prepares->begin(w.route, n.random);
    return &w;
}

/// Makes the packet that next_packet() has prepared, from the message at the front. Returns its slot.
std::uint32_t nics::make_waiting(nic_state& n, class_queue& queue, message_record& m, std::size_t k) {
    const waiting_packet& w = m_waiting[k];
    const std::uint32_t id = m_around.packet_slots.take();
    packet& p = m_around.packets[id];
    p = {};
    p.route = w.route;
    p.flits = w.flits;
    p.message = queue.first;
    p.generated = m.what.generated;
    m_held[k].flits += w.flits;
    if (m.flits_to_inject == m.what.flits) {
        m.injected = workload::never;
        ++n.held_messages;
        ++m_held[k].messages;
    }
    m.flits_to_inject -= w.flits;
    return id;
}

/// Sets the hops of a packet if routers do not count them.
void nics::know_hops(const nic_state& n, std::uint32_t id) {
    packet& p = m_around.packets[id];
    if (m_keyed) p.hops = n.hops_to[column(p.route)];
}

void nics::packet_leaves(std::uint32_t node, std::uint32_t id, cycle_t t) {
    packet& p = m_around.packets[id];
    message_record& m = m_around.messages[p.message];
    generated_counts& held = m_held[std::size_t{node} * m_around.classes + m.what.message_class];
    held.flits -= p.flits;
    p.injected = t;
    if (m.injected == workload::never) {
        m.injected = t;
        --m_nics[node].held_messages;
        --held.messages;
    }
    ++m_nics[node].injected_packets;
    if (m_observer != nullptr) m_observer->packet_injected(m_nics[node].node, p, t);
}

std::uint32_t nics::take_packet(std::uint32_t node, std::uint32_t message_class) {
    nic_state& n = m_nics[node];
    class_queue& queue = n.queues[message_class];
    message_record& m = m_around.messages[queue.first];
    const std::size_t k = std::size_t{node} * m_around.classes + message_class;
    waiting_packet& w = m_waiting[k];
    const std::uint32_t id = make_waiting(n, queue, m, k);
    know_hops(n, id);
    n.held_flits += w.flits;
    w.flits = 0;
    leave_source(n, queue);
    return id;
}

}  // namespace sare
