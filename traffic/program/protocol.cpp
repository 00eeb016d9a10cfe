// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/protocol.h"

#include "traffic/program/duration.h"

namespace sare::traffic {

void protocol::send(const envelope& e, std::uint64_t bytes, std::uint32_t request) {
    emit({asks(bytes) ? transfer::ask : transfer::eager, e, bytes, request, 0});
}

bool protocol::receive(const envelope& e, std::uint32_t request) {
    const std::uint32_t slot = m_matching.post(e, request);
    if (slot == matching::none) return false;
    m_transfers.give_back(slot);
    if (m_transfers[slot].what == transfer::eager) return true;
    grant(m_transfers[slot], request);
    return false;
}

void protocol::grant(transfer x, std::uint32_t request) {
    x.what = transfer::grant;
    x.receive_request = request;
    emit(x);
}

void protocol::emit(const transfer& what) {
    const std::uint32_t slot = m_transfers.take();
    m_transfers[slot] = what;
    const bool back = what.what == transfer::grant;
    const bool control = back || what.what == transfer::ask;
    const std::uint64_t bytes = control ? 0 : what.bytes;
    std::uint32_t from = m_node_of[what.of.source], to = m_node_of[what.of.destination];
    if (back) std::swap(from, to);
    if (control) ++m_control;
    if (from == to) {
        ++m_inside;
        double seconds = m.local_latency;
        if (m.local_bandwidth > 0) seconds += static_cast<double>(bytes) / m.local_bandwidth;
        const cycle_t time = whole_cycles(seconds, m_port.cycle_seconds());
        m_local.push({m_port.now() + std::max<cycle_t>(time, 1), slot});
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
    m_port.send(out);
}

std::uint32_t protocol::deliver_local() {
    const std::uint32_t slot = m_local.top().second;
    m_local.pop();
    return arrive(slot);
}

std::uint32_t protocol::arrive(std::uint32_t slot) {
    const transfer x = m_transfers[slot];
    std::uint32_t request = x.receive_request;
    if (m.matched && (x.what == transfer::eager || x.what == transfer::ask)) {
        request = m_matching.arrive(x.of, slot);
        if (request == none) return none;
    }
    m_transfers.give_back(slot);
    if (!m.matched) return none;
    if (x.what == transfer::ask) {
        grant(x, request);
        return none;
    }
    if (x.what != transfer::grant) return request;
    transfer data = x;
    data.what = transfer::answer;
    emit(data);
    return x.send_request;
}

}  // namespace sare::traffic
