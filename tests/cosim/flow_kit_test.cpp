// SPDX-License-Identifier: Apache-2.0
#include "cosim/adapted_router.h"
#include "cosim/random_case.h"
#include "cosim/router_bench.h"
#include "cosim/scoreboard.h"
#include "tests/cosim/fake_router.h"

#include <gtest/gtest.h>

/// Routers of every flow control at the pins, with any number of VCs, between Sare's links; and what the
/// scoreboard says of faulty ones.
namespace sare::cosim {
namespace {

using pins::flow_control;
using test::fault;

pins::router_place place_of(const router_setting& s) {
    pins::router_place p;
    p.ports = s.ports;
    p.vcs = s.model.vcs;
    p.nodes = s.nodes;
    p.depth = s.model.depth;
    for (std::uint32_t q = 0; q < s.ports; ++q) p.depth_beyond.push_back(s.depth_beyond(q));
    return p;
}

/// Random traffic, then until all is out and the credits have been looked at; "" if all is well.
std::string run(std::uint64_t seed, flow_control flow, fault wrong = fault::none, cycle_t cycles = 20000) {
    random_case c = draw_case(seed, 24);
    if (flow == flow_control::on_off) c.setting.out_depth.clear();
    const pins::router_place place = place_of(c.setting);
    pins::router_facts facts = test::fake_router::facts(place, flow);
    if (wrong == fault::is_slower_than_it_says) facts.min_latency = facts.max_latency = 1;
    router_bench bench(c.setting, *c.around, seed);
    auto router = std::make_unique<adapted_router>(std::make_unique<test::fake_router>(place, flow, wrong),
                                                   facts, place, *c.around, bench.packets());
    scoreboard watched(std::move(router),
                       {place.ports, place.vcs, place.depth_beyond, facts.min_latency, facts.max_latency,
                        flow == flow_control::on_off ? facts.reaction : 0, 500},
                       *c.around, bench.packets());
    std::vector<port_out> out(place.ports);
    cycle_t t = 1;
    try {
        for (; t < cycles; ++t) {
            watched.cycle(t, bench.inputs(), out);
            bench.outputs(out);
        }
        for (const cycle_t end = t + 5000; t < end; ++t) {
            watched.cycle(t, bench.inputs(true), out);
            bench.outputs(out);
        }
    } catch (const std::runtime_error& problem) {
        return problem.what();
    }
    if (watched.flits() < 1000 && wrong == fault::none)
        return "only " + std::to_string(watched.flits()) + " flits";
    return bench.empty() ? "" : "does not drain";
}

class flow : public testing::TestWithParam<std::uint64_t> {};

TEST_P(flow, by_credits) {
    EXPECT_EQ(run(GetParam(), flow_control::credit), "");
}
TEST_P(flow, by_ready_and_valid) {
    EXPECT_EQ(run(GetParam(), flow_control::ready_valid), "");
}
TEST_P(flow, by_on_and_off) {
    EXPECT_EQ(run(GetParam(), flow_control::on_off), "");
}

INSTANTIATE_TEST_SUITE_P(drawn, flow, testing::Range<std::uint64_t>(1, 13));

/// The first line of a faulty router under any of some seeds.
std::string first_line(flow_control how, fault wrong) {
    for (std::uint64_t seed = 1; seed < 9; ++seed)
        if (const std::string line = run(seed, how, wrong); !line.empty())
            return line.substr(line.find(": ") + 2);
    return "";
}

TEST(Scoreboard, SeesCreditsThatAreWrong) {
    const std::string line = first_line(flow_control::credit, fault::sends_without_credit);
    EXPECT_NE(line.find(": is sent without a credit"), std::string::npos) << line;
    EXPECT_EQ(first_line(flow_control::credit, fault::gives_credit_twice), "a credit comes back for no flit");
    const std::string kept = first_line(flow_control::credit, fault::keeps_credits);
    EXPECT_NE(kept.find(" credits do not come back from the empty router"), std::string::npos) << kept;
}

TEST(Scoreboard, SeesHeadsThatAreLate) {
    for (const flow_control how : {flow_control::credit, flow_control::ready_valid, flow_control::on_off}) {
        const std::string line = first_line(how, fault::is_slower_than_it_says);
        EXPECT_NE(line.find("took 2 cycles through the empty router; declared are 1 to 1"), std::string::npos)
            << line;
    }
}

TEST(Scoreboard, SeesVcsThatRoutingDoesNotAllow) {
    const std::string line = first_line(flow_control::ready_valid, fault::takes_any_vc);
    EXPECT_NE(line.find(": is on a VC that routing does not allow"), std::string::npos) << line;
}

TEST(Scoreboard, SeesStarvation) {
    const std::string line = first_line(flow_control::on_off, fault::starves);
    EXPECT_NE(line.find(": came in and could have left in 500 cycles: lost, or stuck"), std::string::npos)
        << line;
}

}  // namespace
}  // namespace sare::cosim
