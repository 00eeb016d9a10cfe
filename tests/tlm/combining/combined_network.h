// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/combining/combiner_network.h"
#include "tlm/combining/network_collectives.h"
#include "tlm/config/yaml.h"
#include "tlm/network/stepped/fabric_engine.h"
#include "tlm/state/archive.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

/// A network whose members call collectives at given cycles.
namespace sare::test {

/// Workload of calls, which notes when members have what they wait for.
class calling final : public workload {
  public:
    struct call {
        cycle_t at;
        network_call what;  ///< `group` is an index in `groups`
    };
    /// Calls are in ascending order of cycles. `groups`: nodes of the members of each.
    calling(std::vector<std::vector<std::uint32_t>> groups, std::vector<call> calls)
        : m_groups(std::move(groups)), m_calls(std::move(calls)) {}

    void start(traffic_port& port) override {
        m_port = &port;
        m_network = dynamic_cast<collective_port*>(&port);
        for (const auto& nodes : m_groups) m_numbers.push_back(m_network->open(nodes));
    }
    cycle_t next_tick() const override { return m_next < m_calls.size() ? m_calls[m_next].at : never; }
    void tick(cycle_t now) override {
        for (; m_next < m_calls.size() && m_calls[m_next].at == now; ++m_next) {
            network_call c = m_calls[m_next].what;
            c.group = m_numbers[c.group];
            c.tag = m_next;
            if (m_network->take_part(c)) ended.emplace(m_next, now);
        }
    }
    void delivered(const delivery& d) override {
        const auto k = static_cast<std::size_t>(d.what.tag);
        const network_call& c = m_calls.at(k).what;
        EXPECT_EQ(d.what.destination, m_groups[c.group][c.member]);
        EXPECT_EQ(d.consumed, m_port->now());
        EXPECT_TRUE(c.receives());
        EXPECT_TRUE(ended.emplace(k, d.consumed).second) << "call " << k << " has ended twice";
    }
    bool finished() const override { return m_next == m_calls.size(); }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    void serialize(archive& a) override { a(m_next, ended); }

    std::map<std::size_t, cycle_t> ended;  ///< cycle in which each call has ended, by its index

  private:
    std::vector<std::vector<std::uint32_t>> m_groups;
    std::vector<call> m_calls;
    std::vector<std::uint32_t> m_numbers;
    std::size_t m_next = 0;
    traffic_port* m_port = nullptr;
    collective_port* m_network = nullptr;
};

/// The network of an experiment with a section `combining`, and what runs the calls.
struct combined_network {
    combined_network(const std::string& yaml, std::vector<std::vector<std::uint32_t>> groups,
                     std::vector<calling::call> all)
        : e(experiment::read(config::parse_yaml(yaml, "test"), "")),
          map(e.make_map()),
          engine(e, map, 1),
          calls(std::move(groups), std::move(all)),
          layer(calls, e.sections.of<combining_params>(), *map, engine.blueprint().routing().forks(),
                engine.blueprint().nic().max_packet_flits) {
        engine.set_workload(layer, false);
    }
    void run() {
        engine.run_until(10'000'000);
        EXPECT_TRUE(layer.finished());
        EXPECT_TRUE(layer.combining_tables().are_empty());
        EXPECT_EQ(engine.net().view().leftovers(), "");
        EXPECT_EQ(engine.net().view().flits_injected() + engine.net().view().changes().copied.flits,
                  engine.net().view().flits_consumed());
    }
    std::uint64_t count(const std::string& key) const {
        return std::stoull(layer.results().find("in_network")->find(key)->text());
    }
    std::uint64_t links(const std::string& key) const {
        return std::stoull(layer.results().find("in_network")->find("links")->find(key)->text());
    }

    experiment e;
    std::shared_ptr<const topology> map;
    fabric_engine engine;
    calling calls;
    network_collectives layer;
};

}  // namespace sare::test
