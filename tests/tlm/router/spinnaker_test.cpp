// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/router/spinnaker_support.h"
#include "tlm/config/yaml.h"

#include <gtest/gtest.h>

/// SpiNNaker's router: closed forms, routes worked out by hand, and that it has one packet in hand.
namespace sare::test::spinnaker_test {
namespace {

struct zero_load_case {
    const char *network, *router;
    std::uint32_t link, node_link, cycles_per_flit, length, engine;
};

const zero_load_case zero_load_cases[] = {
    {"w=5 h=4", "", 1, 1, 1, 1, 1},
    {"w=5 h=4 link_latency=3 node_link_latency=2", "engine=4", 3, 2, 1, 1, 4},
    {"w=4 h=6 link_cycles_per_flit=3", "packet=4 buffer=2", 1, 1, 3, 4, 1},
    {"w=6 h=6 concentration=3 link_latency=9", "packet=2 buffer=1 engine=2", 9, 1, 1, 2, 2},
    {"w=2 h=2", "buffer=1", 1, 1, 1, 1, 1},
};

/// A packet is whole at a router before the engine takes it; copies leave at the same time.
TEST(Spinnaker, HasTheZeroLoadLatencyOfTheClosedForm) {
    for (const zero_load_case& c : zero_load_cases) {
        test_fabric f(spinnaker(c.network, "fan_out=3", c.router));
        const std::uint32_t nodes = f.net.view().nodes();
        std::vector<sare::message> script;
        for (std::uint32_t n = 0; n < nodes; ++n) {
            script.push_back(firing(n, 3 + 400 * script.size()));
            script.push_back(firing(n, 3 + 400 * script.size(), (n * 7 + 1) % nodes));
        }
        scripted_traffic traffic(script);
        packet_log log;
        f.net.stepper().set_observer(&log);
        f.net.stepper().set_workload(&traffic);
        f.run(0, script.size() * 400 + 1000);
        const auto far = distances(f.map());
        std::uint32_t come = 0;
        for (std::size_t k = 0; k < log.lines.size(); k += 8) {
            if (log.lines[k] % 2 == 1) continue;  // an injection
            ++come;
            const auto node = static_cast<std::uint32_t>(log.lines[k + 1]);
            const auto source = static_cast<std::uint32_t>(log.lines[k + 2]);
            const std::uint64_t d =
                far[f.map().router_of(node_id(source)).value][f.map().router_of(node_id(node)).value];
            const std::uint64_t rest = c.length - 1;
            EXPECT_EQ(log.lines[k] / 2 - log.lines[k + 6],
                      2 * (c.node_link + rest) + d * (c.link + c.length * c.cycles_per_flit - 1) +
                          (d + 1) * (c.engine - 1))
                << c.network << ": " << source << " to " << node;
            EXPECT_EQ(log.lines[k + 5], d + 1) << "routers visited";
        }
        EXPECT_EQ(come, nodes * 4);
        EXPECT_EQ(f.net.view().leftovers(), "");
        EXPECT_EQ(f.net.view().changes().copied.packets, nodes * 2);
        EXPECT_EQ(f.net.view().changes().dropped.packets, 0U);
    }
}

/// Node 0 of a torus of 4 x 4 to nodes 2 and 3, straight on through router 1 by default, and on from
/// router 2.
constexpr const char* eastward = "entry 0 0 0\nentry 2 0 6 0\nentry 3 0 6\n";

struct one_firing {
    std::vector<std::tuple<cycle_t, std::uint32_t, std::uint64_t>> told;
    std::map<drop_spot, packet_count> drops;
    packet_changes changes;
    std::string left;
};

one_firing fire_east(const std::string& router,
                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& dead) {
    test_fabric f(spinnaker("w=4 h=4", table_file("eastward", eastward), router));
    for (const auto& [r, p] : dead) kill_link(f, r, p);
    told_firing traffic({firing(0, 10)});
    f.net.stepper().set_workload(&traffic);
    f.run(0, 100'000);
    EXPECT_EQ(traffic.unaccounted(), "");
    EXPECT_TRUE(f.net.view().empty());
    return {traffic.told, f.net.view().changes().dropped_at, f.net.view().changes(),
            f.net.view().leftovers()};
}

using told_list = std::vector<std::tuple<cycle_t, std::uint32_t, std::uint64_t>>;

TEST(Spinnaker, SendsPacketsWithoutEntryStraightOn) {
    const one_firing r = fire_east("", {});
    EXPECT_EQ(r.told, (told_list{{14, 2, 0}, {15, 3, 0}}));
    EXPECT_EQ(r.changes.copied.packets, 1U);
    EXPECT_EQ(r.changes.detoured.packets, 0U);
}

/// Cycle 11: the engine of router 0 takes it, and waits 7 cycles. By S to router 12 (19), by NE to router 1
/// (20), where it is as if it had come from the west: straight on to 2 (21), node 2 (22), node 3 (23).
TEST(Spinnaker, SendsABlockedPacketRoundTheTriangle) {
    const one_firing r = fire_east("emergency_wait=7 drop_wait=5", {{0, 0}});
    EXPECT_EQ(r.told, (told_list{{22, 2, 0}, {23, 3, 0}}));
    EXPECT_EQ(r.changes.detoured.packets, 1U);
    EXPECT_EQ(r.changes.dropped.packets, 0U);
    EXPECT_EQ(r.left, "");
    // In the middle of its way, where it has no entry; then before the last router.
    EXPECT_EQ(fire_east("emergency_wait=7 drop_wait=5", {{1, 0}}).told, (told_list{{22, 2, 0}, {23, 3, 0}}));
    EXPECT_EQ(fire_east("emergency_wait=7 drop_wait=5", {{2, 0}}).told, (told_list{{14, 2, 0}, {23, 3, 0}}));
}

/// The first leg is dead, too: in hand from cycle 11, dropped in 11 + 7 + 5 with both targets.
TEST(Spinnaker, DropsAPacketThatFindsNoRoute) {
    one_firing r = fire_east("emergency_wait=7 drop_wait=5", {{0, 0}, {0, 5}});
    EXPECT_EQ(r.told, (told_list{{23, ~0U, 0}}));
    ASSERT_EQ(r.drops.size(), 1U);
    EXPECT_FALSE(r.drops.begin()->first < (drop_spot{0, 0, "dead_link"}));
    EXPECT_FALSE((drop_spot{0, 0, "dead_link"}) < r.drops.begin()->first);
    // The second leg: at router 12 from cycle 19.
    r = fire_east("emergency_wait=7 drop_wait=5", {{0, 0}, {12, 1}});
    EXPECT_EQ(r.told, (told_list{{31, ~12U, 0}}));
    // Without emergency routes.
    r = fire_east("emergency_wait=7 drop_wait=5 emergency=false", {{0, 0}});
    EXPECT_EQ(r.told, (told_list{{23, ~0U, 0}}));
    EXPECT_EQ(r.changes.detoured.packets, 0U);
    // Of two copies one: the other has come, and its packet alone is lost.
    r = fire_east("emergency_wait=7 drop_wait=5 emergency=false", {{2, 0}});
    EXPECT_EQ(r.told, (told_list{{14, 2, 0}, {25, ~2U, 0}}));
}

/// A packet that waits keeps the engine: one for another output comes after it.
TEST(Spinnaker, IsBlockedByABlockedPacket) {
    const std::string table = table_file("blocked", "entry 0 0 0\nentry 1 0 6\nentry 4 4 5\nentry 0 4 6\n");
    for (const bool blocked : {false, true}) {
        test_fabric f(spinnaker("w=4 h=4", table, "emergency=false emergency_wait=20 drop_wait=30"));
        if (blocked) kill_link(f, 0, 0);
        told_firing traffic({firing(0, 10), firing(4, 10)});
        f.net.stepper().set_workload(&traffic);
        f.run(0, 10'000);
        EXPECT_EQ(traffic.unaccounted(), "");
        const told_list free{{13, 0, 1}, {13, 1, 0}}, late{{61, ~0U, 0}, {63, 0, 1}};
        EXPECT_EQ(traffic.told, blocked ? late : free);
    }
}

/// An engine that takes c cycles lets a packet pass in so many.
TEST(Spinnaker, PassesOnePacketAtATime) {
    for (const std::uint32_t engine : {1U, 3U, 8U}) {
        test_fabric f(spinnaker("w=4 h=4 concentration=8", "fan_out=1 radius=1 decay=1",
                                "engine=" + std::to_string(engine) + " emergency_wait=1000 drop_wait=1000"));
        std::vector<sare::message> script;
        for (std::uint32_t n = 0; n < 8; ++n)  // from node to node of one router
            for (cycle_t k = 0; k < 20; ++k) script.push_back(firing(n, 5, (n + 1) % 8));
        told_firing traffic(script);
        f.net.stepper().set_workload(&traffic);
        f.run(0, 10'000);
        EXPECT_EQ(traffic.unaccounted(), "");
        EXPECT_EQ(std::get<0>(traffic.told.back()) - std::get<0>(traffic.told.front()), 159 * engine);
    }
}

/// Where 'routing' is left out, these kinds have the only function that they take.
TEST(Spinnaker, HasItsRoutingFunction) {
    const auto function = [](const std::string& text) {
        return routing_registry::instance()
            .chosen(experiment::read(config::parse_document(text, "test"), "").routing)
            .name;
    };
    const std::string network = "network: {topology: triangular_torus, w: 4, h: 4}\n";
    EXPECT_EQ(function(network + "router: {kind: spinnaker}\n"), "multicast");
    EXPECT_EQ(function(network + "router: {kind: spinnaker}\nrouting: table\n"), "table");
    EXPECT_EQ(function(network + "router: {kind: vc}\n"), "triangular_minimal");
    EXPECT_EQ(function("network: {topology: omega, k: 2, n: 3}\nrouter: {kind: spinet}\n"),
              "destination_tag");
}

TEST(Spinnaker, NeedsItsRoutingFunction) {
    fabric_setting s = spinnaker("w=4 h=4", "", "");
    s.routing = "triangular_minimal dateline=none";
    try {
        test_fabric f(s);
        FAIL();
    } catch (const config::error& e) {
        EXPECT_EQ(std::string(e.what()),
                  "router 0 is of kind spinnaker, which needs 'routing: {function: multicast}' on a "
                  "triangular_torus, and not triangular_minimal");
    }
}

}  // namespace
}  // namespace sare::test::spinnaker_test
