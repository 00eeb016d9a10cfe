// SPDX-License-Identifier: Apache-2.0
#include "tests/support/seed.h"
#include "tests/support/sources_add_up.h"
#include "tests/support/test_fabric.h"
#include "tests/support/told_traffic.h"
#include "tlm/config/yaml.h"
#include "tlm/topology/changed_links.h"

#include <gtest/gtest.h>

#include <cmath>

/// Bits that are hit on links.
namespace sare::test::bit_errors_test {
namespace {

constexpr std::uint32_t flits = 4;

fabric_setting two_routers(double rate) {
    fabric_setting s;
    s.network = "mesh dims=2 link_bit_error_rate=" + config::number_text(rate);
    s.router.vcs = 1;
    s.router.depth = 8;
    s.nic.flit_bytes = 8;
    return s;
}

std::vector<sare::message> a_stream(std::uint32_t count) {
    std::vector<sare::message> script(count);
    for (std::uint32_t k = 0; k < count; ++k) {
        script[k].destination = 1;
        script[k].flits = flits;
        script[k].generated = std::uint64_t{k} * flits;
    }
    return script;
}

/// A packet is bad if one of its bits is: binomial, within four standard deviations.
TEST(BitErrors, AreBinomial) {
    const std::uint64_t seed = test_seed(7);
    for (const double rate : {1e-6, 1e-5, 1e-4, 1e-3, 0.01}) {
        fabric_setting s = two_routers(rate);
        s.seed = seed;
        test_fabric machine(s);
        constexpr std::uint32_t count = 100'000;
        scripted_traffic traffic(a_stream(count));
        machine.net.stepper().set_workload(&traffic);
        ASSERT_EQ(machine.run(0, workload::never), workload::never);
        EXPECT_EQ(machine.net.view().leftovers(), "");
        const double p = -std::expm1(8.0 * 8 * flits * std::log1p(-rate));
        const packet_count dropped = machine.net.view().changes().dropped;
        EXPECT_EQ(dropped.packets + machine.net.view().packets_consumed(), count);
        EXPECT_EQ(dropped.flits, dropped.packets * flits);
        EXPECT_EQ(machine.net.view().flits_consumed(), machine.net.view().packets_consumed() * flits);
        EXPECT_NEAR(static_cast<double>(dropped.packets), p * count, 4 * std::sqrt(count * p * (1 - p)) + 1)
            << "rate " << rate;
        EXPECT_EQ(machine.net.view().changes().lost_by_cause.empty(), dropped.packets == 0);
    }
}

/// A flit is consumed once its packet is known to be good, so the count of a node never goes back; of each
/// kind of NIC.
TEST(BitErrors, NeverLowerTheConsumedCount) {
    for (const char* const kind : {"", "bubble", "deflection", "apenet vcs=4 depth=8 output_depth=5"}) {
        fabric_setting s;
        s.network = "torus dims=4,4 link_bit_error_rate=1e-3";
        s.kind = kind;
        s.router.vcs = 4;
        s.nic.flit_bytes = 8;
        s.nic.max_packet_flits = 4;
        test_fabric machine(s);
        told_messages traffic(5, 500, 0.05, 9);
        machine.net.stepper().set_workload(&traffic);
        std::vector<std::uint64_t> before(machine.map().nodes());
        for (cycle_t t = 0; t != workload::never; t = machine.net.stepper().next_work(t)) {
            machine.net.stepper().step(t);
            for (std::uint32_t n = 0; n < before.size(); ++n) {
                const std::uint64_t now = machine.net.view().counts_of(n).consumed_flits;
                ASSERT_GE(now, before[n]) << kind << ": node " << n << ", cycle " << t;
                before[n] = now;
            }
        }
        EXPECT_GT(machine.net.view().changes().dropped.packets, 10U) << kind;
        EXPECT_EQ(machine.net.view().flits_inside(), 0U) << kind;
        expect_sources_add_up(machine.net.view(), traffic.made);
    }
}

/// Only links of the section have them; the others bring what they are given.
TEST(BitErrors, OccurOnlyOnLinksWithARate) {
    fabric_setting s = two_routers(0);
    s.network = "mesh dims=4";
    const config::value links =
        *config::parse_document("l: [{between: [2, 3], bit_error_rate: 0.01}]", "test").find("l");
    test_fabric machine(s, with_changed_links(test::network(s.network), links));
    std::vector<sare::message> script = a_stream(2000);
    for (std::uint32_t k = 0; k < script.size(); ++k) script[k].destination = 1 + k % 3;
    scripted_traffic traffic(script);
    machine.net.stepper().set_workload(&traffic);
    ASSERT_EQ(machine.run(0, workload::never), workload::never);
    const auto& places = machine.net.view().changes().dropped_at;
    ASSERT_EQ(places.size(), 1U);
    EXPECT_EQ(places.begin()->first.cause, loss::bit_error);
    EXPECT_EQ(places.begin()->first.router, 3U);
    EXPECT_GT(places.begin()->second.packets, 500U);
}

/// The same with any order of evaluation, and with readable routers as with fast ones.
TEST(BitErrors, DoNotDependOnHowTheNetworkIsRun) {
    std::vector<std::uint64_t> first;
    for (const int how : {0, 1, 2}) {
        fabric_setting s;
        s.network = "mesh dims=4,4 link_bit_error_rate=1e-4";
        s.compact_allowed = how != 1;
        test_fabric machine(s);
        if (how == 2) machine.net.stepper().shuffle_evaluation(5);
        auto traffic = traffic_of("bernoulli load=0.3", 16, "fixed flits=5");
        machine.net.stepper().set_workload(traffic.get());
        machine.run(0, 3000);
        const packet_changes& c = machine.net.view().changes();
        std::vector<std::uint64_t> now{c.dropped.packets, c.dropped.flits,
                                       machine.net.view().flits_consumed()};
        for (const auto& [at, count] : c.dropped_at) now.insert(now.end(), {at.router, count.packets});
        if (how == 0) first = now;
        EXPECT_GT(c.dropped.packets, 20U);
        EXPECT_EQ(now, first) << how;
    }
}

/// A flit of so many phits on a link of a width, by default and for one link.
TEST(LinkWidth, IsInPhits) {
    const auto cycles = [](const std::string& network, const std::string& links) {
        const auto map = with_changed_links(test::network(network),
                                            *config::parse_document("l: " + links, "test").find("l"));
        return std::make_pair(map->link(router_id(0), port_id(0)).cycles_per_flit,
                              map->link(router_id(1), port_id(0)).cycles_per_flit);
    };
    using two = std::pair<std::uint32_t, std::uint32_t>;
    EXPECT_EQ(cycles("mesh dims=3 flit_phits=5 link_width=2", "[{between: [1, 2], width: 5}]"), two(3, 1));
    EXPECT_EQ(cycles("mesh dims=3 flit_phits=8", "[{between: [1, 2], width: 3}]"), two(1, 3));
    EXPECT_EQ(cycles("mesh dims=3 flit_phits=4 link_width=2 link_cycles_per_flit=3",
                     "[{between: [1, 2], width: 1}]"),
              two(3, 4));
}

}  // namespace
}  // namespace sare::test::bit_errors_test
