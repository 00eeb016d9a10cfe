// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/rng.h"

#include <vector>

namespace sare::examples {

/// Background traffic among some nodes: each sends messages of 1 to 8 flits at random times, to any of these
/// nodes, itself included, in any message class.
class noise final : public workload {
  public:
    /// `nodes`: numbers of the nodes, at least one; `load`: flits per node and cycle, at most 4.5 (a message
    /// in every cycle).
    noise(std::vector<std::uint32_t> nodes, double load) : m_nodes(std::move(nodes)), m_chance(load / 4.5) {}

    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override { return m_chance > 0 ? m_next : never; }
    void tick(cycle_t now) override {
        m_next = now + 1;
        for (const std::uint32_t from : m_nodes) {
            if (!m_random.bernoulli(m_chance)) continue;
            message m;
            m.source = from;
            m.destination = m_nodes[m_random.below(static_cast<std::uint32_t>(m_nodes.size()))];
            m.flits = 1 + m_random.below(8);
            m.message_class = m_random.below(m_port->classes());
            m.generated = now;
            m_port->send(m);
            ++m_sent.messages;
            m_sent.flits += m.flits;
        }
    }
    bool wants_deliveries() const override { return false; }
    generated_counts generated(cycle_t) override { return m_sent; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

  private:
    const std::vector<std::uint32_t> m_nodes;
    const double m_chance;  ///< probability that a node sends a message in a cycle
    traffic_port* m_port = nullptr;
    rng m_random{1, stream::arrival, 0};
    cycle_t m_next = 0;
    generated_counts m_sent;
};

}  // namespace sare::examples
