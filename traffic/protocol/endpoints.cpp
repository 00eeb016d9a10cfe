// SPDX-License-Identifier: Apache-2.0
#include "traffic/protocol/protocol_workload.h"

#include <fmt/format.h>

#include <algorithm>

/// The nodes: what they hold, in which order they handle it, and when they refuse more.
namespace sare::traffic {

void protocol_workload::tick(cycle_t now) {
    while (!m_agenda.empty() && m_agenda.top().when <= now) {
        const event e = m_agenda.top();
        m_agenda.pop();
        if (e.what == event::kind::begins) {
            begin(e.node);
        } else if (e.what == event::kind::handled_in_place) {
            std::vector<outgoing> out;
            handle({e.number, e.step}, out);
            make_ready(e.node, out);
        } else {
            endpoint& p = at(e.node, e.number);
            handle(p.arrived.front(), p.answers);
            p.in_service = false;
            p.handled = true;
            m_changed.insert(e.node);
        }
        work();
    }
}

void protocol_workload::delivered(const delivery& d) {
    const step_of s{static_cast<std::uint32_t>(d.what.tag >> 8),
                    static_cast<std::uint32_t>(d.what.tag & 255)};
    const std::uint32_t node = d.what.destination;
    const message_kind& kind = message_of(s);
    counts& c = m_of_message[step(s).kind];
    ++c.ended;
    if (m_measures) c.latencies.record(d.consumed - d.what.generated);
    if (step(s).to == role::requester) {
        m_agenda.push(
            {m_port->now() + kind.service, event::kind::handled_in_place, node, s.transaction, s.step});
        return;
    }
    endpoint& p = at(node, kind.message_class);
    p.arrived.push_back(s);
    m_most_arrived = std::max(m_most_arrived, static_cast<std::uint32_t>(p.arrived.size()));
    update_refusal(node, kind.message_class);
    m_changed.insert(node);
    work();
}

void protocol_workload::queue_space(std::uint32_t node, std::uint32_t message_class) {
    at(node, message_class).asked = false;
    m_changed.insert(node);
    work();
}

/// Sends a message if its node may have one more wait to leave; else asks to be called when it may.
bool protocol_workload::send(std::uint32_t node, const outgoing& o) {
    const std::uint32_t c = message_of(o.what).message_class;
    counts& kind = m_of_message[step(o.what).kind];
    if (m.buffer != 0 && m_port->queued_of(node, c) >= m.buffer) {
        if (!at(node, c).asked) m_port->call_when_queued(node, c, m.buffer - 1);
        at(node, c).asked = true;
        return false;
    }
    message out;
    out.source = node;
    out.destination = o.to;
    out.flits = m_lengths[step(o.what).kind]->next(m_requesters[node].choices);
    out.message_class = c;
    out.generated = o.generated;
    out.tag = std::uint64_t{o.what.transaction} << 8 | o.what.step;
    m_made += {1, out.flits};
    ++kind.begun;
    kind.flits += out.flits;
    if (step(o.what).from == role::requester) --m_open[o.what.transaction].at_requester;
    m_port->send(out);
    settle(o.what.transaction);
    return true;
}

/// Lets all nodes go on at which something has changed.
void protocol_workload::work() {
    while (!m_changed.empty()) {
        const std::uint32_t node = *m_changed.begin();
        m_changed.erase(m_changed.begin());
        for (bool more = true; more;) {
            more = send_ready(node);
            for (std::uint32_t c = 0; c < m_machine.classes; ++c) more = advance(node, c) || more;
        }
    }
}

/// Sends messages of requesters at a node. Returns true if any was sent.
bool protocol_workload::send_ready(std::uint32_t node) {
    bool any = false;
    for (std::uint32_t c = 0; c < m_machine.classes; ++c)
        for (auto& ready = at(node, c).ready; !ready.empty() && send(node, ready.front()); any = true)
            ready.pop_front();
    return any;
}

/// Goes on with the messages of a class that have come to a node. Returns true if one of them has left.
bool protocol_workload::advance(std::uint32_t node, std::uint32_t message_class) {
    endpoint& p = at(node, message_class);
    if (p.arrived.empty() || p.in_service) return false;
    if (!p.handled) {
        p.in_service = true;
        const cycle_t service = message_of(p.arrived.front()).service;
        m_agenda.push({m_port->now() + service, event::kind::handled, node, message_class});
        return false;
    }
    const auto sent = [&](const outgoing& o) { return send(node, o); };
    p.answers.erase(std::remove_if(p.answers.begin(), p.answers.end(), sent), p.answers.end());
    if (!p.answers.empty()) return false;
    p.handled = false;
    p.arrived.pop_front();
    update_refusal(node, message_class);
    return true;
}

void protocol_workload::update_refusal(std::uint32_t node, std::uint32_t message_class) {
    endpoint& p = at(node, message_class);
    const bool full = m.buffer != 0 && p.arrived.size() >= m.buffer;
    if (full != p.refuses) m_port->set_accepting(node, message_class, !full);
    p.refuses = full;
}

std::vector<endpoint_wait> protocol_workload::endpoint_waits() const {
    std::vector<endpoint_wait> all;
    for (std::uint32_t k = 0; k < m_endpoints.size(); ++k) {
        const endpoint& p = m_endpoints[k];
        if (p.answers.empty()) continue;
        const std::uint32_t node = k / m_machine.classes, message_class = k % m_machine.classes;
        endpoint_wait w{node, message_class, 0, ""};
        std::string sends;
        for (const outgoing& o : p.answers) {
            w.sends |= 1U << message_of(o.what).message_class;
            sends = message_of(o.what).name;
        }
        w.text = fmt::format("node {} ('{}' of class {}, which has to send '{}')", node,
                             message_of(p.arrived.front()).name, message_class, sends);
        all.push_back(std::move(w));
    }
    return all;
}

void protocol_workload::serialize(archive& a) {
    for (pattern* p : {m_home.get(), m_owner.get(), m_memory.get()})
        if (p != nullptr) p->serialize(a);
    m_sharers->serialize(a);
    for (auto& law : m_lengths) law->serialize(a);
    a(m_requesters, m_endpoints, m_open, m_agenda, m_all, m_to_end, m_lost, m_most_arrived, m_measures,
      m_made, m_of_message, m_of_transaction);
}

}  // namespace sare::traffic
