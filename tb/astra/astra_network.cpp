// SPDX-License-Identifier: Apache-2.0
#include "tb/astra/astra_network.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace sare::astra {

astra_network::astra_network(stepped_network& net) : m_net(net) {
    m_net.on_delivered([this](const delivery& d) { arrive(d); });
    m_net.on_lost([](const message& m, const std::string& cause) {
        throw std::runtime_error("ASTRA-sim waits for every message, and one from node " +
                                 std::to_string(m.source) + " to node " + std::to_string(m.destination) +
                                 " was lost: " + cause);
    });
}

void astra_network::schedule(double delta, callback what) {
    m_events.push({m_now + delta, m_events_made++, what});
}

void astra_network::send(const transfer& what, callback sent) {
    message m;
    m.source = static_cast<std::uint32_t>(what.source);
    m.destination = static_cast<std::uint32_t>(what.destination);
    m.bytes = what.bytes;
    m.flits = std::max(1U, m_net.flits_for(what.bytes));
    if (m_free_tags.empty()) {
        m.tag = m_flights.size();
        m_flights.emplace_back();
    } else {
        m.tag = m_free_tags.back();
        m_free_tags.pop_back();
    }
    m_flights[m.tag] = {what, sent};
    ++m_messages;
    m_net.send(m, std::max(m_net.now(), m_net.cycle_at(m_now)));
}

void astra_network::receive(const transfer& what, callback received) {
    match& m = m_matches[what];
    if (m.arrived == 0) return m.waiting.push_back(received);
    --m.arrived;
    schedule(0, received);
}

void astra_network::arrive(const delivery& d) {
    m_now = std::max(m_now, m_net.ns_of(d.consumed));
    const flight f = m_flights[d.what.tag];
    m_free_tags.push_back(d.what.tag);
    f.sent();
    match& m = m_matches[f.what];
    if (m.waiting.empty()) {
        ++m.arrived;
        return;
    }
    const callback received = m.waiting.front();
    m.waiting.pop_front();
    received();
}

void astra_network::run_event() {
    const event e = m_events.top();
    m_events.pop();
    m_now = std::max(m_now, e.at);
    e.what();
}

void astra_network::run() {
    while (!m_events.empty() || m_net.open() != 0) {
        const cycle_t next = m_net.next_event();
        if (!m_events.empty() && (next == workload::never || m_events.top().at <= m_net.ns_of(next))) {
            run_event();
            continue;
        }
        if (next == workload::never)
            throw std::runtime_error("nothing will happen any more, and " + std::to_string(m_net.open()) +
                                     " messages have not arrived");
        m_net.advance(next + 1);
    }
}

}  // namespace sare::astra
