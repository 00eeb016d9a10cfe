// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/any_order.h"
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

namespace sare::testing_support::htsim_test {
namespace {

/// A flow, one at 100 ns, and one when the first has come; sizes are flits of 8 bytes.
const std::string flows =
    "# three flows\nNodes 4\nConnections 3\nTriggers 1\n0->1 id 1 start 0 size 80 recv_done_trigger 7\n"
    "2->3 id 2 start 100000 size 8 prio 3\n1->2 id 3 trigger 7 size 160\ntrigger id 7 oneshot\n";

TEST(htsim, ReadsFlowsByStartAndTrigger) {
    const trace_files files;
    const auto reader = open_trace(files.write("t", flows));
    ASSERT_EQ(reader->tasks(), 4U);
    EXPECT_EQ(kinds_of(events_of(*reader, 0)), (std::vector<op>{op::isend}));
    EXPECT_EQ(kinds_of(events_of(*reader, 1)), (std::vector<op>{op::irecv, op::send}));
    EXPECT_EQ(kinds_of(events_of(*reader, 3)), (std::vector<op>{op::irecv}));
    const auto two = events_of(*reader, 2);
    EXPECT_EQ(kinds_of(two), (std::vector<op>{op::irecv, op::sleep, op::isend}));
    EXPECT_DOUBLE_EQ(two[1].seconds, 100e-9);
    EXPECT_EQ(two[2].line, 6);
    EXPECT_EQ(reader->warnings(), std::vector<std::string>{"priorities of flows are not read"});
    EXPECT_EQ(check_trace(*open_trace(files.path("t"))), std::vector<std::string>{});
    // The later flow of one flit is the last: 100 cycles, and 10 on its way.
    EXPECT_EQ(replay_cycles(files.path("t"), 4), 110U);
    // Without it two flows behind each other: 10 flits, and 20, each 10 cycles on its way.
    EXPECT_EQ(replay_cycles(files.path("t"), 4, "0"), 9U + 10 + 19 + 10);
    expect_the_same_in_any_order(files.path("t"));
}

TEST(htsim, ReportsErrorsInOneLine) {
    const std::string head = "Nodes 3\n";
    EXPECT_EQ(error_reading(head + "0->3 start 0 size 8\n"),
              ":2:1: the destination 3 is out of range; tasks are 0 to 2");
    EXPECT_EQ(error_reading(head + "0->1 size 8\n"), ":2:1: a flow has either 'start' or 'trigger'");
    EXPECT_EQ(error_reading(head + "0->1 start\n"), ":2:1: 'start' has no number behind it");
    EXPECT_EQ(error_reading(head + "Connections 2\n0->1 start 0 size 8\n"),
              ":3:1: 'Connections 2' is said, and there are 1");
    EXPECT_EQ(error_reading(head + "0->1 trigger 2 size 8\n"),
              ":2:1: trigger 2 has no line 'trigger id ...'");
    EXPECT_EQ(
        error_reading(
            head + "0->1 trigger 2 size 8\n1->2 start 0 size 8 recv_done_trigger 2\ntrigger id 2 oneshot\n"),
        ":2:1: trigger 2 fires at node 2, and starts a flow at node 0; it can be read only at one node");
    EXPECT_EQ(error_reading(head + "0->1 trigger 2 size 8\ntrigger id 2 barrier count 3\n"),
              ":2:1: trigger 2 is fired by 0 flows; only 3 can be read, those that it waits for");
    const trace_files files;
    EXPECT_GT(errors_of_changes(files, "t", flows, files.path("t"), "htsim"), 10U);
}

}  // namespace
}  // namespace sare::testing_support::htsim_test
