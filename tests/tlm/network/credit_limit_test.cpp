// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/credit_limit.h"
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/router_plan.h"
#include "tlm/network/simulation.h"
#include "tlm/topology/topology.h"

#include <gtest/gtest.h>

/// What credits let a link carry: VCs x depth / round trip, which a run at full load reaches.
namespace sare::test::credit_limit_test {
namespace {

/// Two routers with two nodes each. The first two send all that they can to the others, by packets so long
/// that the extra cycles of a head count little: two at a time, so that two VCs are used.
std::string pair_of(std::uint32_t latency, std::uint32_t vcs, std::uint32_t depth) {
    return "network: {topology: mesh, dims: [2], concentration: 2, link_latency: " + std::to_string(latency) +
           "}\nrouter: {vcs: " + std::to_string(vcs) + ", depth: " + std::to_string(depth) +
           "}\nnic: {ejection_depth: 4000, max_packet_flits: 500}\n"
           "traffic: {workload: flows, flows: [{from: 0, to: 2, rate: 0.5, length: 500}, "
           "{from: 1, to: 3, rate: 0.5, length: 500}]}\n"
           "measurement: {warmup: 5000, batch: 10000, batches: 5, convergence_limit: 3}\n";
}

TEST(CreditLimit, IsWhatALongLinkCarries) {
    struct setting {
        std::uint32_t latency, vcs, depth;
    };
    for (const setting& s : {setting{50, 1, 8}, {50, 2, 8}, {20, 1, 16}, {7, 2, 2}}) {
        const std::string yaml = pair_of(s.latency, s.vcs, s.depth);
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        const auto map = e.make_map();
        const router_plan plan(e, *map);
        const auto limit = credit_limit_of({network_channel::kind::link, 0, 0, 1}, *map, plan, e.nic);
        ASSERT_TRUE(limit.has_value());
        EXPECT_EQ(limit->vcs, s.vcs);
        EXPECT_EQ(limit->depth, s.depth);
        const double carried = std::stod(in_child([&] {
            const run_result r = simulation(e).run(e);
            return std::to_string(r.accepted * 4);  // all flits cross the link
        }));
        EXPECT_NEAR(carried, limit->rate(), 0.02 * limit->rate()) << yaml << limit->round_trip;
        const std::string warning = warning_of_credits(*map, plan, e.nic);
        EXPECT_NE(warning.find("router 0 to router 1"), std::string::npos) << warning;
    }
}

TEST(CreditLimit, IsSilentWhereBuffersSuffice) {
    const experiment e = experiment::read(config::parse_yaml(pair_of(10, 2, 64), "test"), testing::TempDir());
    const auto map = e.make_map();
    EXPECT_EQ(warning_of_credits(*map, router_plan(e, *map), e.nic), "");
}

/// A switch whose allocation takes several cycles: an input VC is served once in so many, and without a
/// pipeline an output, too.
TEST(SwitchLimit, IsWhatASlowSwitchCarries) {
    const struct setting {
        std::string router;
        double rate;
    } all[] = {{"vcs: 1, sa_delay: 4", 0.25},
               {"vcs: 2, sa_delay: 3", 2.0 / 3},
               {"vcs: 2, sa_delay: 3, pipelined: false", 1.0 / 3},
               {"vcs: 4, sa_delay: 4, pipelined: false", 0.25}};
    for (const auto& [router, rate] : all) {
        std::string yaml = pair_of(1, 1, 64);
        yaml.replace(yaml.find("vcs: 1"), 6, router);
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        const auto map = e.make_map();
        const router_plan plan(e, *map);
        EXPECT_DOUBLE_EQ(switch_limit_of({network_channel::kind::link, 0, 0, 1}, *map, plan), rate) << router;
        const double carried =
            std::stod(in_child([&] { return std::to_string(simulation(e).run(e).accepted * 4); }));
        EXPECT_NEAR(carried, rate, 0.03 * rate) << router;  // two VCs in use
    }
}

}  // namespace
}  // namespace sare::test::credit_limit_test
