// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/rng.h"
#include "tlm/state/archive.h"

#include <string>
#include <utility>
#include <vector>

namespace sare::test {

/// Random messages for some cycles, and what the network tells of each: its tag is its place.
class noted_traffic final : public workload {
  public:
    noted_traffic(std::uint64_t seed, cycle_t cycles, std::uint32_t a_cycle)
        : m_random(seed, stream::test, 1), m_cycles(cycles), m_a_cycle(a_cycle) {}

    struct note {
        sare::message what;
        std::uint32_t delivered = 0, dropped = 0, lost = 0;
        std::string cause;
        void serialize(archive& a) { a(what, delivered, dropped, lost, cause); }
    };
    std::vector<note> notes;
    std::vector<std::pair<cycle_t, std::uint64_t>> told;  ///< what happened when: tag * 2 + dropped

    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override {
        m_next = now + 1 < m_cycles ? now + 1 : never;
        for (std::uint32_t k = 0; k < m_a_cycle; ++k) {
            sare::message m;
            m.source = m_random.below(m_port->nodes());
            m.destination = m_random.below(m_port->nodes());
            m.flits = 1 + m_random.below(12);
            m.message_class = m_random.below(m_port->classes());
            m.generated = now;
            m.tag = notes.size();
            notes.push_back({m, 0, 0, 0, ""});
            m_port->send(m);
        }
    }
    void delivered(const delivery& d) override {
        ++notes[d.what.tag].delivered;
        told.emplace_back(m_port->now(), d.what.tag * 2);
    }
    void dropped(const sare::message& m, const std::string& cause) override {
        note& n = notes[m.tag];
        if (n.dropped++ == 0) n.cause = cause;
        told.emplace_back(m_port->now(), m.tag * 2 + 1);
    }
    void lost(const sare::message& m) override { ++notes[m.tag].lost; }
    bool finished() const override { return m_next == never; }
    bool runs_to_completion() const override { return true; }
    generated_counts generated(cycle_t) override { return {notes.size(), 0}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    void serialize(archive& a) override { a(notes, told, m_random, m_next); }

  private:
    traffic_port* m_port = nullptr;
    rng m_random;
    const cycle_t m_cycles;
    const std::uint32_t m_a_cycle;
    cycle_t m_next = 0;
};

}  // namespace sare::test
