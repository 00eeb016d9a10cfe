// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"

#include <gtest/gtest.h>

namespace sare::testing_support {
namespace {

std::string result(const workload& w, const char* key) {
    return w.results().find(key)->text();
}

TEST(burst, cycles_in_closed_form) {
    // 40 messages of 3 flits leave in cycles 0 to 119; the last arrives 10 later. The next burst begins a
    // cycle on.
    fake_port port(6, 10);
    auto w = make_workload(
        section({{"workload", "burst"}, {"messages", "40"}, {"bursts", "3"}, {"length", "3"}}), 6);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished());
    EXPECT_TRUE(w->runs_to_completion());
    EXPECT_EQ(port.sent.size(), 6u * 40 * 3);
    EXPECT_LE(port.longest_queue, 16u);
    EXPECT_EQ(result(*w, "mean_burst_cycles"), "129");
    EXPECT_EQ(w->results().find("burst_cycles")->items().size(), 3u);
    EXPECT_EQ(port.now(), 2 * 130 + 129u);
    EXPECT_EQ(w->generated(0).flits, 6u * 40 * 3 * 3);
}

TEST(request_reply, round_trip_in_closed_form) {
    // One node of two asks: a request of 2 flits leaves in 2 cycles (injected in t and t + 1), 10 cycles, 7
    // of service, a reply of 5 flits. Alone on its way: 1 + 10 + 7 + 4 + 10.
    fake_port port(2, 10);
    auto w = make_workload(section({{"workload", "request_reply"},
                                    {"outstanding", "1"},
                                    {"length", "2"},
                                    {"reply_length", "5"},
                                    {"service_cycles", "7"},
                                    {"requests", "10"}}),
                           2);
    w->start(port);
    EXPECT_EQ(w->classes_needed(), 2u);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(result(*w, "round_trips"), "20");
    EXPECT_EQ(result(*w, "mean_round_trip_cycles"), "32");
    EXPECT_EQ(result(*w, "max_round_trip_cycles"), "32");
    int replies = 0;
    for (const auto& m : port.sent) replies += m.message_class == 1 && m.flits == 5;
    EXPECT_EQ(replies, 20);
}

TEST(request_reply, limit_of_outstanding_requests) {
    fake_port port(2, 100);
    auto w =
        make_workload(section({{"workload", "request_reply"}, {"outstanding", "4"}, {"requests", "50"}}), 2);
    w->start(port);
    port.run(*w, 50);
    EXPECT_EQ(port.sent.size(), 8u);
    port.run(*w, 1000000);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(port.sent.size(), 200u);
}

TEST(request_reply, load_below_the_limit) {
    fake_port port(8, 5);
    auto w = make_workload(
        section(
            {{"workload", "request_reply"}, {"load", "0.02"}, {"outstanding", "100"}, {"reply_length", "1"}}),
        8);
    w->start(port);
    port.run(*w, 50000);
    std::size_t requests = 0;
    for (const auto& m : port.sent) requests += m.message_class == 0;
    EXPECT_NEAR(static_cast<double>(requests), 8 * 50000 * 0.02, 4 * 90);
}

}  // namespace
}  // namespace sare::testing_support
