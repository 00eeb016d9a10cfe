// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"

#include <gtest/gtest.h>

#include <sstream>

namespace sare::testing_support::closed_loop_test {
namespace {

std::string result(const workload& w, const char* key) {
    return w.results().find(key)->text();
}

TEST(burst, TakesTheCyclesOfTheClosedForm) {
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

TEST(request_reply, HasTheRoundTripOfTheClosedForm) {
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

TEST(request_reply, LimitsOutstandingRequests) {
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

/// Of every message that is lost the place is used again, a time-out later.
TEST(constant_population, ReplacesLostMessages) {
    fake_port port(4, 10);
    port.lose_every = 7;
    auto w = make_workload(
        section({{"workload", "constant_population"}, {"messages", "3"}, {"time_out", "200"}}), 4);
    w->start(port);
    port.run(*w, 20000);
    EXPECT_GT(port.lost, 100u);
    EXPECT_EQ(result(*w, "lost"), std::to_string(port.lost));
    EXPECT_EQ(result(*w, "messages"), std::to_string(port.delivered));
    // 12 under way, but for those whose sender does not know yet.
    const std::uint64_t open = port.sent.size() - port.delivered - port.lost;
    EXPECT_LE(open, 12u);
    port.lose_every = 0;
    port.run(*w, 21000);
    EXPECT_EQ(result(*w, "population"), "12");
}

/// A loss and its time-out: 10 + 200 cycles; the next message leaves in that very cycle.
TEST(constant_population, WaitsForItsTimeOutAfterALoss) {
    fake_port port(2, 10);
    port.lose_every = 1;
    auto w = make_workload(section({{"workload", "constant_population"},
                                    {"total", "1"},
                                    {"pattern", "uniform"},
                                    {"time_out", "200"}}),
                           2);
    w->start(port);
    port.run(*w, 10 * 210);
    EXPECT_EQ(port.sent.size(), 10u);
    EXPECT_EQ(port.sent.back().generated, 9 * 210u);
}

TEST(burst, EndsDespiteLosses) {
    fake_port port(6, 10);
    port.lose_every = 5;
    auto w = make_workload(section({{"workload", "burst"}, {"messages", "40"}, {"bursts", "3"}}), 6);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(port.sent.size(), 6u * 40 * 3);
    EXPECT_EQ(result(*w, "lost"), std::to_string(6 * 40 * 3 / 5));
}

TEST(request_reply, EndsDespiteLosses) {
    fake_port port(4, 20);
    port.lose_every = 9;
    auto w = make_workload(section({{"workload", "request_reply"},
                                    {"outstanding", "2"},
                                    {"service_cycles", "3"},
                                    {"time_out", "100"},
                                    {"requests", "50"}}),
                           4);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished());
    EXPECT_GT(port.lost, 20u);
    EXPECT_EQ(result(*w, "lost"), std::to_string(port.lost));
    EXPECT_EQ(result(*w, "round_trips"), std::to_string(4 * 50 - port.lost));
}

TEST(ping, EndsDespiteLossesAndListsThem) {
    fake_port port(3, 20);
    port.lose_every = 4;
    auto w = make_workload(section({{"workload", "ping"}, {"rounds", "10"}, {"time_out", "100"}}), 3);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(port.sent.size(), 3u * 2 * 10);
    EXPECT_EQ(port.lost, 15u);
    std::istringstream table(w->tables().front().second);
    std::string line;
    std::getline(table, line);
    std::uint64_t lost = 0;
    while (std::getline(table, line)) lost += std::stoull(line.substr(line.rfind(',') + 1));
    EXPECT_EQ(lost, 15u);
}

TEST(reactive, EndsDespiteLosses) {
    fake_port port(8, 20);
    port.lose_every = 3;
    auto w = make_workload(
        section({{"workload", "reactive"}, {"initial", "4"}, {"probability", "1"}, {"limit", "500"}}), 8);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(result(*w, "lost"), std::to_string(port.lost));
}

TEST(request_reply, KeepsItsLoadBelowTheLimit) {
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
}  // namespace sare::testing_support::closed_loop_test
