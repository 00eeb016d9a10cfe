// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/broken/broken_case.h"

/// Mistakes in what sections say of each other, and the one line that answers each: `check` gives it as
/// `run`.
namespace sare::test::broken_sections_test {
namespace {

const std::string planes =
    "network: {topology: planes, planes: [{topology: mesh, dims: [4, 4], count: 2}]}\n";
const std::string levels = "network: {topology: hierarchical, levels: [{topology: mesh, dims: [2, 2]}";

const broken_case cases[] = {
    {"statistic_edges", "check", "", 1,
     MESH TRAFFIC "measurement: {statistics: [{name: message_sizes, edges: [5, 3]}]}\n",
     "case.yaml:3:28: 'edges' must ascend, and 3 comes behind 5"},
    {"statistic_unknown", "check", "", 1, MESH TRAFFIC "measurement: {statistics: [stall]}\n",
     "case.yaml:3:28: unknown statistic 'stall'; did you mean 'stalls'?"},
    {"frequency_of_no_router", "check", "", 1, MESH TRAFFIC "power: {table: asap7, frequency: 9GHz}\n",
     "case.yaml:3:34: 'frequency' is 9GHz, and router 0, by asap7, allows at most 1215.3 MHz; write "
     "'frequency: fastest' in 'power' for that, or 'overclock: true' to take the clock all the same"},
    {"inside_beyond", "check", "", 1, MESH TRAFFIC "observe: {inside: {csv: true, routers: 99}}\n",
     "case.yaml:3:19: 'routers' of observe.inside names router 99; there are 0 to 15"},
    {"tasks_of_no_program", "check", "", 1, MESH TRAFFIC "observe: {timeline: true}\n",
     "case.yaml:3:10: 'observe' asks for tasks, and the workload has none; perfetto shows packets"},
    {"retransmission_of_no_loss", "check", "", 1,
     MESH TRAFFIC "nic: {retransmission: go_back_n}\nfidelity: analytic\n",
     "case.yaml:3:23: 'nic.retransmission' is go_back_n, and the contention-free model loses nothing"},
    {"pattern_over_planes", "check", "", 1,
     planes + "routing: planes\ntraffic: {workload: bernoulli, load: 0.1, pattern: complement}\n",
     "case.yaml:3:52: the pattern sends from node 0 in plane 0 to node 31 in plane 1, and no link joins "
     "planes; "
     "choose a pattern that stays within them, or workload 'applications' with one in each"},
    {"rails_in_another_order", "check", "", 1,
     planes + "routing: planes\ntraffic: {workload: rails, of: {workload: ring}}\n",
     "case.yaml:3:10: workload 'rails': no path joins the same port of node 0 and node 8; are the ports in "
     "'order: planes'?"},
    {"key_of_a_level", "check", "", 1, levels + ", {topology: ring, n: 4, gatway: 0}]}\n" TRAFFIC,
     "case.yaml:1:107: unknown key 'gatway' in 'levels'; did you mean 'gateway'?"},
    {"routing_left_out_of_levels", "check", "", 1,
     levels + ", {topology: ring, n: 4}]}\nrouter: {vcs: 1}\n" TRAFFIC,
     "case.yaml:1:1: routing is left out: 'vcs' gives 1 to each port and message class; 'hierarchical' needs "
     "at "
     "least 2: packets to a gateway have VCs of their own, in networks of several routers inside others"},
    {"clock_of_blanks", "check", "", 1, MESH TRAFFIC "clock_period: '5 '\n",
     "case.yaml:3:15: 'clock_period' is '5 '; it must be a time from 1ps to 1s with its unit, such as 1ns"},
    {"governor_unknown", "check", "", 1,
     MESH TRAFFIC "domains: {a: {routers: 1, levels: [{clock: 4}], governor: treshold}}\n",
     "case.yaml:3:59: unknown governor 'treshold'; did you mean 'threshold'?"},
};

using broken_sections = broken_program;

TEST_P(broken_sections, AreReportedInOneLine) {
    expect_one_line();
}

INSTANTIATE_TEST_SUITE_P(sections, broken_sections, testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

/// One level is a network like any other.
TEST_F(program, ChecksANetworkOfOneLevel) {
    write("one.yaml", levels + "]}\n" TRAFFIC);
    EXPECT_EQ(sare("check one.yaml").status, 0);
}

/// A deadlock that is to run all the same is told, and is no mistake.
TEST_F(program, ChecksWhatIsForced) {
    write("ring.yaml",
          "network: {topology: ring, n: 4}\nrouting: {function: dor, dateline: none}\nrouter: {vcs: "
          "1}\n" TRAFFIC "checks: {force: true}\n");
    const outcome o = sare("check ring.yaml");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("deadlock       routing function 'dor' can deadlock"), std::string::npos) << o.out;
}

}  // namespace
}  // namespace sare::test::broken_sections_test
