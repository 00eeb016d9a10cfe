// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/messages/protocol.h"

#include "tlm/base/world.h"

#include <cstring>

namespace sare::traffic {

void protocol::start(transfer::kind what, const envelope& e, std::uint64_t bytes, std::uint32_t request) {
    const std::uint32_t slot = m_transfers.take();
    transfer& x = m_transfers[slot];
    x.what = what;
    x.of = e;
    x.bytes = bytes;
    x.send_request = request;
    if (m.order == matching_order::sent)
        m_order.sent(slot, e);
    else if (m.order == matching_order::numbered)
        x.number = m_numbers.sent(e);
    if (what == transfer::eager) return carry(slot, e.source, e.destination, bytes);
    emit(slot);
}

void protocol::send(const envelope& e, std::uint64_t bytes, std::uint32_t request) {
    start(request != none ? transfer::rts : transfer::eager, e, bytes, request);
}
void protocol::put(const envelope& e, std::uint64_t bytes, std::uint32_t request) {
    start(transfer::put, e, bytes, request);
}
void protocol::get(const envelope& e, std::uint64_t bytes, std::uint32_t request) {
    start(transfer::get, e, bytes, request);
}

bool protocol::take_part(collective_port& network, network_call call, std::uint32_t task,
                         std::uint32_t request) {
    const std::uint32_t slot = m_transfers.take();
    transfer& x = m_transfers[slot];
    x.what = transfer::result;
    x.of = {task, task, call.number, 0};
    x.bytes = call.bytes;
    x.send_request = request;
    call.tag = slot;
    if (network.take_part(call)) {
        m_transfers.give_back(slot);
        return true;
    }
    if (m_observer != nullptr) {
        message out;
        out.source = out.destination = m_node_of[task];
        out.flits = m_port.flits_for(call.bytes);
        out.generated = m_port.now();
        tell(slot, &out);
    }
    return false;
}

bool protocol::receive(const envelope& e, std::uint32_t request) {
    const std::uint32_t slot = m_matching.post(e, request);
    if (slot == matching::none) return false;
    if (m_transfers[slot].what == transfer::eager) {
        m_transfers.give_back(slot);
        return true;
    }
    send_cts(slot, request);
    return false;
}

/// Sends clear to send: the receive is posted, and the sender may send its data.
void protocol::send_cts(std::uint32_t slot, std::uint32_t request) {
    m_transfers[slot].what = transfer::cts;
    m_transfers[slot].receive_request = request;
    emit(slot);
}

void protocol::emit(std::uint32_t slot) {
    const transfer& what = m_transfers[slot];
    const bool control = what.control();
    if (control) ++(what.is_handshake() ? m_control : m_one_sided_control);
    std::uint32_t from = what.of.source, to = what.of.destination;
    if (what.back()) std::swap(from, to);
    carry(slot, from, to, control ? 0 : what.bytes);
}

/// Carries a message from task to task.
void protocol::carry(std::uint32_t slot, std::uint32_t source, std::uint32_t destination,
                     std::uint64_t bytes) {
    const std::uint32_t from = m_node_of[source], to = m_node_of[destination];
    if (from == to) {
        ++m_inside;
        const cycle_t time = m.cycles_inside(static_cast<double>(bytes), m_port.cycle_seconds());
        m_local.push({m_port.now() + time, m_inside, slot});
        if (m_observer != nullptr) tell(slot, nullptr);
        return;
    }
    message out;
    out.source = from;
    out.destination = to;
    out.flits = m_port.flits_for(bytes);
    out.bytes = bytes;
    out.generated = m_port.now();
    out.tag = slot;
    ++m_generated.messages;
    m_generated.flits += out.flits;
    if (__builtin_expect(m_observer != nullptr, 0)) tell(slot, &out);
    m_port.send(out);
}

/// Tells the observer; the bytes of a get are counted at their source.
void protocol::tell(std::uint32_t slot, const message* out) {
    const transfer& x = m_transfers[slot];
    std::uint32_t from = x.of.source, to = x.of.destination;
    if (x.starts() && x.what != transfer::get) m_observer->sends(from, to, x.bytes);
    if (x.what == transfer::get) m_observer->sends(to, from, x.bytes);
    if (x.back()) std::swap(from, to);
    m_observer->leaves(slot, from, to, x.control(), x.control() ? 0 : x.bytes, out);
}

std::uint32_t protocol::deliver_local() {
    const std::uint32_t slot = m_local.top().slot;
    m_local.pop();
    return arrive(slot);
}

bool protocol::came(std::uint32_t slot, const transfer& x) {
    if (m.order == matching_order::sent) return m_order.came(slot);
    return m.order == matching_order::none || m_numbers.came(slot, x.of, x.number);
}

std::uint32_t protocol::arrive(std::uint32_t slot) {
    transfer& x = m_transfers[slot];
    if (x.starts()) return came(slot, x) ? handle(slot) : none;
    if (x.what == transfer::cts) {
        x.what = transfer::data;
        emit(slot);
        return x.send_request;
    }
    m_transfers.give_back(slot);
    return x.what == transfer::data ? x.receive_request : x.send_request;
}

/// Handles a transfer's first message after all messages sent before it: a message to match, or a put or get,
/// which the node answers by itself.
std::uint32_t protocol::handle(std::uint32_t slot) {
    transfer& x = m_transfers[slot];
    if (x.what == transfer::put || x.what == transfer::get) {
        x.what = x.what == transfer::put ? transfer::put_ack : transfer::get_data;
        emit(slot);
        return none;
    }
    if (m.matched()) return match(slot);
    m_transfers.give_back(slot);
    return none;
}

std::uint32_t protocol::match(std::uint32_t slot) {
    const transfer& x = m_transfers[slot];
    const std::uint32_t request = m_matching.arrive(x.of, slot);
    if (request == none) return none;
    if (x.what == transfer::eager) {
        m_transfers.give_back(slot);
        return request;
    }
    send_cts(slot, request);
    return none;
}

void protocol::write(std::uint64_t tag, std::uint64_t* to) const {
    std::memcpy(to, &m_transfers[static_cast<std::uint32_t>(tag)], 8 * words);
}

std::uint64_t protocol::take_over(const std::uint64_t* from) {
    const std::uint32_t slot = m_transfers.take();
    std::memcpy(static_cast<void*>(&m_transfers[slot]), from, 8 * words);
    return slot;
}

void protocol::add_up(world& all) {
    for (std::uint64_t* count : {&m_inside, &m_control, &m_one_sided_control}) *count = all.sum(*count);
}

}  // namespace sare::traffic
