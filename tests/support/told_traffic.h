// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/rng.h"

#include <string>
#include <utility>
#include <vector>

namespace sare::test {

/// Random messages, each with a tag of its own, until some cycle, and what the network tells of them.
class told_messages final : public workload {
  public:
    told_messages(std::uint64_t seed, cycle_t end, double load, std::uint32_t longest)
        : m_random(seed, stream::test, 1), m_end(end), m_load(load), m_longest(longest) {}

    std::vector<std::uint32_t> deliveries, drops, losses;  ///< by message
    std::vector<generated_counts> made;                    ///< by source
    std::vector<std::pair<cycle_t, std::uint64_t>> told;   ///< (cycle, tag) of drops
    std::string cause;                                     ///< of the last one
    bool listens = true;                                   ///< else it is told of drops only

    void start(traffic_port& port) override {
        m_port = &port;
        m_next = port.first_cycle();
        made.resize(port.nodes());
    }
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override {
        m_next = now + 1 < m_end ? now + 1 : never;
        for (std::uint32_t n = 0; n < m_port->nodes(); ++n) {
            if (!m_random.bernoulli(m_load)) continue;
            sare::message m;
            m.source = n;
            m.destination = m_random.below(m_port->nodes());
            m.flits = 1 + m_random.below(m_longest);
            m.message_class = m_random.below(m_port->classes());
            m.generated = now;
            m.tag = deliveries.size();
            deliveries.push_back(0);
            drops.push_back(0);
            losses.push_back(0);
            made[n] += {1, m.flits};
            m_port->send(m);
        }
    }
    bool wants_deliveries() const override { return listens; }
    void delivered(const delivery& d) override { ++deliveries[d.what.tag]; }
    void dropped(const sare::message& m, const std::string& why) override {
        ++drops[m.tag];
        cause = why;
        told.emplace_back(m_port->now(), m.tag);
    }
    void lost(const sare::message& m) override { ++losses[m.tag]; }
    bool finished() const override { return m_next == never; }
    bool runs_to_completion() const override { return true; }
    generated_counts generated(cycle_t) override { return {deliveries.size(), 0}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

    /// Messages that were neither delivered once nor dropped, or both, or whose loss was not told once.
    std::uint64_t unaccounted() const {
        std::uint64_t wrong = 0;
        for (std::size_t m = 0; m < deliveries.size(); ++m)
            wrong += deliveries[m] != (drops[m] == 0 ? 1u : 0u) || losses[m] != (drops[m] == 0 ? 0u : 1u);
        return wrong;
    }
    std::uint64_t lost() const {
        std::uint64_t all = 0;
        for (const std::uint32_t d : drops) all += d != 0;
        return all;
    }

  private:
    traffic_port* m_port = nullptr;
    rng m_random;
    cycle_t m_end, m_next = 0;
    double m_load;
    std::uint32_t m_longest;
};

}  // namespace sare::test
