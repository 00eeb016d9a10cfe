// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/driven_source.h"

#include "tlm/state/archive.h"

namespace sare::traffic {

driven_source::driven_source(const spatial_parameters& p, const workload_context& c, cycle_t time_out)
    : m_spatial(p),
      m_folder(c.folder),
      m_length(make_length(p.length, {c.folder, c.flit_bytes})),
      m_time_out(time_out) {}

void driven_source::start(traffic_port& port) {
    m_port = &port;
    m_pattern = make_pattern(m_spatial, port, m_folder);
    m_length = padded(std::move(m_length), port.padded(1));
    for (std::uint32_t i = 0; i < port.nodes(); ++i) m_random.emplace_back(port.seed(), stream::packet, i);
    m_next = port.first_cycle();
}

void driven_source::tick(cycle_t now) {
    if (m_next <= now) {
        m_next = never;
        begin(m_port->nodes());
    }
    while (!m_missed.empty() && m_missed.front().known <= now) {
        const missing m = m_missed.front();
        m_missed.pop_front();
        missed(m.source, m.destination);
    }
}

/// Notes a loss after the calls of this cycle, so that a time-out of 0 is one.
void driven_source::lost(const message& m) {
    ++m_lost;
    m_missed.push_back({m_port->now() + m_time_out, m.source, m.destination});
}

void driven_source::send(std::uint32_t node, std::uint32_t destination, std::uint64_t tag) {
    message m;
    m.source = node;
    m.destination = destination;
    m.flits = m_length->next(m_random[node]);
    m.generated = m_port->now();
    m.tag = tag;
    ++m_made.messages;
    m_made.flits += m.flits;
    m_port->send(m);
}

void driven_source::count(const delivery& d) {
    ++m_consumed;
    m_cycles += d.consumed - d.what.generated;
}

void driven_source::serialize(archive& a) {
    a(m_random, m_next, m_made, m_consumed, m_cycles, m_lost, m_missed);
    if (m_pattern != nullptr) m_pattern->serialize(a);
    m_length->serialize(a);
}

config::value driven_source::results() const {
    const double mean = m_consumed == 0 ? 0 : static_cast<double>(m_cycles) / static_cast<double>(m_consumed);
    config::value out = config::value::map({});
    out.set("messages", config::number(m_consumed));
    out.set("mean_message_cycles", config::number(mean));
    if (m_lost != 0) out.set("lost", config::number(m_lost));
    return out;
}

}  // namespace sare::traffic
