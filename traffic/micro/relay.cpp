// SPDX-License-Identifier: Apache-2.0
#include "traffic/micro/relay.h"

#include "tlm/config/schema.h"
#include "tlm/state/archive.h"

#include <algorithm>
#include <tuple>

namespace sare::traffic {

void relay::start(traffic_port& port) {
    m_port = &port;
    m_count = count(port.nodes());
    m_next = m_last = port.first_cycle();
    begin();
}

void relay::tick(cycle_t) {
    m_next = never;
    const std::uint64_t first = std::min<std::uint64_t>(m_outstanding, m_count);
    while (m_generated.messages < first) send();
}

void relay::delivered(const delivery& d) {
    ++m_arrived;
    m_cycles += d.consumed - d.what.generated;
    m_last = d.consumed;
    if (m_generated.messages < m_count) send();
}

void relay::send() {
    message m;
    std::tie(m.source, m.destination) = ends(m_generated.messages);
    m.flits = m_port->flits_for(m_bytes);
    m.bytes = m_bytes;
    m.generated = m_port->now();
    ++m_generated.messages;
    m_generated.flits += m.flits;
    m_port->send(m);
}

void relay::serialize(archive& a) {
    a(m_count, m_arrived, m_cycles, m_next, m_last, m_generated);
}

config::value relay::results() const {
    using config::number;
    const double period = m_port != nullptr ? m_port->cycle_seconds() : 0;
    const cycle_t makespan = m_port != nullptr ? m_last - m_port->first_cycle() : 0;
    const double mean = m_arrived == 0 ? 0 : static_cast<double>(m_cycles) / static_cast<double>(m_arrived);
    config::value out = config::value::map({});
    out.set("makespan_cycles", number(makespan));
    out.set("makespan_seconds", number(static_cast<double>(makespan) * period));
    out.set("messages", number(m_arrived));
    out.set("mean_message_cycles", number(mean));
    out.set("mean_message_seconds", number(mean * period));
    return out;
}

}  // namespace sare::traffic
