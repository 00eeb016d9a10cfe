// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/any_order.h"
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

namespace sare::testing_support::fsin_test {
namespace {

const std::string answer =
    "# ping, and its answer\nc 0 100\ns 0 1 7 80\nr 0 1 7 80\n\ns 1 0 8 160\nr 1 0 8 160\n";

TEST(fsin, ReadsLinesAsEventsOfTheirTask) {
    const trace_files files;
    const auto reader = open_trace(files.write("t", answer));
    ASSERT_EQ(reader->tasks(), 2u);
    const auto zero = events_of(*reader, 0), one = events_of(*reader, 1);
    EXPECT_EQ(kinds_of(zero), (std::vector<op>{op::compute, op::send, op::recv}));
    EXPECT_EQ(kinds_of(one), (std::vector<op>{op::recv, op::send}));
    EXPECT_DOUBLE_EQ(zero[0].seconds, 100e-9);
    EXPECT_EQ(zero[1].peer, 1u);
    EXPECT_EQ(zero[1].tag, 7);
    EXPECT_EQ(zero[1].bytes, 80u);
    EXPECT_EQ(zero[2].peer, 1u);
    EXPECT_EQ(zero[2].line, 7);
    EXPECT_EQ(one[0].peer, 0u);
    EXPECT_EQ(check_trace(*open_trace(files.path("t"))), std::vector<std::string>{});
    // 100 cycles, 10 flits and 20, each 10 cycles on its way.
    EXPECT_EQ(replay_cycles(files.path("t"), 2), 100u + 9 + 10 + 19 + 10);
    expect_the_same_in_any_order(files.path("t"));
}

/// The same in ALOG; other records and messages to oneself are no events.
TEST(fsin, ReadsTheSameMessagesFromAlog) {
    const trace_files files;
    const std::string alog =
        "-101 0 0 1 0 99 7 80\n-102 1 0 0 0 99 7 80\n-11 0 0 1 0 0 MPI\n-101 1 0 1 0 3 7 8\n"
        "-101 1 0 0 0 99 8 160\n-102 0 0 1 0 99 8 160\n";
    EXPECT_EQ(replay_cycles(files.write("t", alog), 2), replay_cycles(files.write("u", answer), 2, "0"));
}

TEST(fsin, ReportsErrorsInOneLine) {
    EXPECT_EQ(error_reading("s 0 1 7 80\ns 0 1 7\n"),
              ":2:1: the line must be: s or r, then FROM TO TAG BYTES");
    EXPECT_EQ(error_reading("c 0 5\nc 1\n"), ":2:1: the line must be: c TASK TIME");
    EXPECT_EQ(error_reading("c 0 5\n-101 0 1\n"),
              ":2:1: the line must be: -101 or -102, then TASK THREAD PARTNER THREAD TIME TAG BYTES");
    EXPECT_EQ(error_reading("s 0 1 7 80\nx 0\n"),
              ":2:1: 'x' is no event; there are c, s, r, and of ALOG -101 and -102");
    EXPECT_EQ(error_reading("# nothing\n", "fsin"), ":1:1: the trace has no event");
    EXPECT_EQ(error_reading("s 0 1 7 80\nr 0 1 7 ten\n"),
              ":2:1: task 1, event 1: the size must be a number, not 'ten'");
    const trace_files files;
    EXPECT_GT(errors_of_changes(files, "t", "r 0 1 7 8\n", files.path("t"), "fsin"), 10u);
}

}  // namespace
}  // namespace sare::testing_support::fsin_test
