// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/random_platform.h"

#include <iostream>

namespace sare::test {

using sc_core::SC_NS;

random_platform::random_platform(std::uint64_t s)
    : seed(s),
      random(s, stream::test, 77),
      resets(random.bernoulli(0.4)),
      traced(random.bernoulli(0.3)),
      base(draw_base()),
      e(experiment::read(config::parse_yaml(text(), "the platform"), ".")),
      second_e(experiment::read(
          config::parse_yaml("{network: {topology: mesh, dims: [2, 2]}, router: {vcs: 4}}", "the second"),
          ".")),
      net("net", e, 6) {
    if (resets) net.engine().wiring().allow_block_resets();
    places.resize(1 + random.below(4));
    granule = places.size() == 3 ? 256 : 16U << random.below(6);
    for (std::size_t k = 0; k < places.size(); ++k)
        places[k] = {std::vector<std::uint32_t>{8, 6, 2, 5}[k], granule * random.below(4)};
    std::vector<std::uint64_t> hash;
    if (places.size() == 2 && random.bernoulli(0.5)) hash = {0x5000};
    if (places.size() == 4 && random.bernoulli(0.5)) hash = {0x1000, 0x6000};
    map.emplace(net.engine(), interleaved(base, reference_memory::size, places, granule, hash));
    const bool joined = random.bernoulli(0.4);
    for (const memory_place& at : places)
        joined&& at.node == 8 ? add_second_network(at.node) : add_memory(at.node);
}

std::string random_platform::text() {
    const char* const topologies[] = {"mesh", "torus"};
    return "{network: {topology: " + std::string(topologies[random.below(2)]) +
           ", dims: [3, 3], link_wake: 4, link_idle: " + std::to_string(random.below(3) * 20) +
           "}, router: {vcs: 12, depth: " + std::to_string(2 + random.below(4)) +
           "}, nic: {max_packet_flits: " + std::to_string(4 << random.below(4)) + "}}";
}

/// Up to the last address that there is.
std::uint64_t random_platform::draw_base() {
    const std::uint64_t all[] = {0x10000, 0x8000'0000'0000'0000, 0 - std::uint64_t{reference_memory::size}};
    return all[random.below(3)];
}

memory_bridge_params random_platform::memory_params() {
    memory_bridge_params p;
    p.window = 1 + random.below(6);
    p.at_once = 1 + random.below(3);
    return p;
}

void random_platform::add_memory(std::uint32_t node) {
    constexpr std::size_t size = 2 * reference_memory::size;
    const unsigned slowest = 1 + random.below(150);
    const auto takes = [this, slowest] { return sc_time(random.below(slowest), SC_NS); };
    memory_bridge_params p = memory_params();
    if (random.bernoulli(0.3)) {
        axi::bridge_params its;
        its.at_once = p.at_once;
        its.window = p.window;
        auto& bridge = keep<axi::bridge<64>>(name("subordinates").c_str(), net.nic_module(node), *map, its);
        burst_checkers.between<64>(bridge.subordinates,
                                   keep<blocking_words<64>>(name("memory").c_str(), size, takes).socket);
        return;
    }
    const bool phased = random.bernoulli(0.3);
    if (phased) p.timing = memory_timing::phases;
    auto& bridge = keep<memory_bridge>(name("memories").c_str(), net.nic_module(node), *map, p);
    if (phased)
        plain_checkers.between<32>(bridge.memory,
                                   keep<phased_memory_model<32>>(name("memory").c_str(), size, takes).socket);
    else
        plain_checkers.between<32>(bridge.memory,
                                   keep<failing_memory>(name("memory").c_str(), random, slowest).socket);
}

/// Of another clock; the range goes on by its map, over two memories.
void random_platform::add_second_network(std::uint32_t node) {
    second.emplace("second", second_e, 2);
    second_map.emplace(second->engine(),
                       interleaved(0, 2 * reference_memory::size, {{3, 0x100}, {1}}, 0x100));
    second->engine().set_period(sc_time(1.5, SC_NS));
    auto& gate = keep<address_crossing>(name("gate").c_str(), net.nic_module(node), *map,
                                        second->nic_module(0), *second_map,
                                        address_crossing_params{1 + random.below(3), 1 + random.below(8)});
    bridges.push_back(&gate.in_second());
    for (const std::uint32_t there : {3U, 1U}) {
        auto& bridge =
            keep<memory_bridge>(name("far").c_str(), second->nic_module(there), *second_map, memory_params());
        auto& memory = keep<failing_memory>(name("far_memory").c_str(), random, 1 + random.below(50));
        plain_checkers.between<32>(bridge.memory, memory.socket);
    }
}

memory_bridge& random_platform::add_bridge(std::uint32_t node) {
    memory_bridge_params p;
    p.order = random.bernoulli(0.5) ? access_order::reorder : access_order::wait;
    p.outstanding = 1 + random.below(8);
    auto& bridge = keep<memory_bridge>(name("bridge").c_str(), net.nic_module(node), *map, p);
    bridges.push_back(&bridge);
    return bridge;
}

/// Approximately timed: an access a lane at a time, several lanes at once.
void random_platform::add_phases(memory_bridge& bridge, unsigned count, std::uint64_t first) {
    auto& cpu = keep<phase_initiator<>>(name("cpu").c_str());
    auto& free = free_lanes(cpu, count);
    ++running;
    cpu.body = [this, &free, first](phase_initiator<>& self) {
        wait_for_views();
        while (issued++ < accesses) {
            const unsigned lane = wait_for_lane(free);
            if (random.bernoulli(0.1)) look_past(self, lane, first);
            transaction& t = lanes.draw(self.pool, lane, first);
            const sc_time ahead = pause();
            t.made = sc_core::sc_time_stamp() + ahead;
            self.begin(t, ahead);
            sc_core::wait(pause());
        }
        self.finish();
        --running;
    };
    plain_checkers.between<32>(cpu.socket, bridge.initiators);
}

/// Reads and writes of the same lanes, from a process each.
void random_platform::add_axi_phases(axi::bridge<64>& bridge) {
    auto& cpu = keep<phase_manager<64>>(name("manager").c_str());
    auto& free = free_lanes(cpu, 3);
    running += 2;
    cpu.body = [this, &free](phase_manager<64>& self, bool writes) {
        wait_for_views();
        while (issued++ < accesses) {
            const unsigned lane = wait_for_lane(free);
            if (random.bernoulli(0.1)) look_past(self, lane, base);
            transaction& t = lanes.draw_burst(self.pool, lane, base, writes);
            t.made = sc_core::sc_time_stamp();
            self.begin(t);
            sc_core::wait(pause());
        }
        if (!writes) self.finish();
        --running;
    };
    burst_checkers.between<64>(cpu.socket, bridge.managers);
}

unsigned random_platform::wait_for_lane(std::deque<unsigned>& free) {
    while (free.empty()) sc_core::wait(sc_time(3, SC_NS));
    const unsigned lane = free.front();
    free.pop_front();
    return lane;
}

void random_platform::judge(const transaction& t) {
    reference.judge(t);
    reference.expect(lanes.settle(t), t, "has lost its reservation");
}

/// Until all are through.
void random_platform::disturb() {
    sc_core::sc_spawn([this] {
        while (running != 0) {
            sc_core::wait(sc_time(100 + random.below(900), SC_NS));
            disturb_once();
        }
    });
}

void random_platform::disturb_once() {
    cycle_engine& one = second && random.bernoulli(0.3) ? second->engine() : net.engine();
    switch (random.below(resets ? 6 : 3)) {
        case 0:
            return one.set_period(sc_time(0.5 * (1 + random.below(6)), SC_NS));
        case 1:
            for (std::uint32_t id = 0; id < net.engine().net().sleepers(); ++id)
                if (random.bernoulli(0.3)) net.engine().set_power(id, false);
            return;
        case 2:
            for (memory_bridge* bridge : bridges)
                if (random.bernoulli(0.3)) bridge->set_mode(static_cast<access_mode>(random.below(3)));
            return;
        case 3:
            one.reset();
            break;
        case 4:
            net.router_module(random.below(9)).reset();
            break;
        default:
            net.nic_module(random.below(9)).reset();
    }
    ++reset_count;
}

void random_platform::run() {
    trace.emplace(*map);
    if (traced) trace->start();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    constexpr std::uint64_t half = reference_memory::size / 2;
    for (const auto& [bridge, first] : views)
        bridge->set_view(0, {{first + half, half, base + half}, {first, half, base}});
    const auto traffic = make_workload("bernoulli", 9,
                                       {{"load", std::vector<std::string>{"0.01", "0.1", "0.4"}[seed % 3]},
                                        {"length", "5"},
                                        {"stop_cycle", "4000"}});
    net.engine().set_workload(*traffic);
    disturb();
    sc_core::sc_start();
    std::cout << reference.judged << " accesses of " << lanes.size() << " lanes to " << places.size()
              << " memories, " << reference.failed << " failed, " << reference.atomics << " atomic, "
              << reference.exclusives << " exclusive, " << reference.debugged << " by debug, "
              << reference.direct << " by DMI, " << reset_count << " resets" << std::endl;
    EXPECT_EQ(running, 0U);
    EXPECT_GE(reference.judged, accesses);
    EXPECT_EQ(reference.violations, std::vector<std::string>());
    EXPECT_GT(reference.added, 10U);
    EXPECT_LT(*reference.counts.rbegin(), reference.perhaps_added);
    EXPECT_LT(reference.failed, reference.judged / 2);
    plain_checkers.look();
    burst_checkers.look();
    for (const auto& check : at_end) check();
    EXPECT_EQ(net.engine().net().view().leftovers(), "");
    EXPECT_EQ(second ? second->engine().net().view().leftovers() : "", "");
    EXPECT_EQ(trace->size(), traced ? reference.judged : 0U);
    for (const access_summary& s : map->accesses().results()) {
        if (s.memory || s.accesses == 0) continue;
        EXPECT_NEAR(s.queueing_ns + s.request_ns + s.memory_ns + s.response_ns, s.mean_ns, 1e-6 * s.mean_ns);
    }
}

}  // namespace sare::test
