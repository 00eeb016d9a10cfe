// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/clients/traffic_client.h"

#include "tlm/state/archive.h"

namespace sare {

void traffic_client::waiting_message::serialize(archive& a) {
    a(at, number, what);
}

void traffic_client::waiting_queue::serialize(archive& a) {
    a(c);
}

void traffic_client::send(const message& m, cycle_t at) {
    m_waiting.push({at, m_number++, m});
    ++m_open;
    if (m_tell_sent) m_tell_sent(at);
}

void traffic_client::tick(cycle_t now) {
    while (!m_waiting.empty() && m_waiting.top().at <= now) {
        message m = m_waiting.top().what;
        m_waiting.pop();
        m.generated = now;
        ++m_generated.messages;
        m_generated.flits += m.flits;
        m_port->send(m);
        if (m_tell_injected) wait_for_injection(m);
    }
}

/// Notes a message that has just come into its source queue.
void traffic_client::wait_for_injection(const message& m) {
    std::deque<message>& queue = m_queued[{m.source, m.message_class}];
    queue.push_back(m);
    m_port->call_when_queued(m.source, m.message_class, static_cast<std::uint32_t>(queue.size()) - 1);
}

void traffic_client::queue_space(std::uint32_t node, std::uint32_t message_class) {
    const auto its = m_queued.find({node, message_class});
    if (its == m_queued.end()) return;  // models without queues call for each message
    std::deque<message>& queue = its->second;
    for (const std::uint32_t left = m_port->queued_of(node, message_class); queue.size() > left;) {
        if (m_tell_injected) m_tell_injected(queue.front());
        queue.pop_front();
    }
    if (queue.empty())
        m_queued.erase(its);
    else
        m_port->call_when_queued(node, message_class, static_cast<std::uint32_t>(queue.size()) - 1);
}

void traffic_client::delivered(const delivery& d) {
    --m_open;
    if (m_tell_delivered) m_tell_delivered(d);
}

void traffic_client::dropped(const message& m, const std::string& cause) {
    if (m_tell_lost) m_tell_lost(m, cause);
}

void traffic_client::serialize(archive& a) {
    a(m_waiting, m_number, m_open, m_generated.messages, m_generated.flits, m_queued);
}

}  // namespace sare
