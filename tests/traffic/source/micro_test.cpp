// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"

#include <gtest/gtest.h>

#include <set>

/// The micro-benchmarks: ring and random.
namespace sare::micro_test {
namespace {

using testing_support::error_of;
using testing_support::fake_port;
using testing_support::make_workload;
using testing_support::section;

std::string text(const workload& w, const char* key) {
    return w.results().find(key)->text();
}

TEST(Ring, GoesFromHandToHandAndBack) {
    fake_port port(5, 10);
    const auto w = make_workload(section({{"workload", "ring"}, {"bytes", "20"}, {"rounds", "2"}}), 5);
    w->start(port);
    port.run(*w, 1000);
    EXPECT_TRUE(w->finished());
    EXPECT_TRUE(w->runs_to_completion());
    ASSERT_EQ(port.sent.size(), 10U);
    for (std::uint32_t k = 0; k < 10; ++k) {
        EXPECT_EQ(port.sent[k].source, k % 5);
        EXPECT_EQ(port.sent[k].destination, (k + 1) % 5);
        EXPECT_EQ(port.sent[k].flits, 3U);
        EXPECT_EQ(port.sent[k].bytes, 20U);
        EXPECT_EQ(port.sent[k].generated, k * 12U);  // 2 more flits, and 10
    }
    EXPECT_EQ(text(*w, "makespan_cycles"), "120");
    EXPECT_EQ(text(*w, "messages"), "10");
    EXPECT_EQ(text(*w, "mean_message_cycles"), "12");
    EXPECT_EQ(w->progress(), 1.0);
    EXPECT_EQ(w->generated(120).flits, 30U);
}

TEST(Ring, SendsToItselfOnOneNode) {
    fake_port port(1);
    const auto w = make_workload(section({{"workload", "ring"}}), 1);
    w->start(port);
    port.run(*w, 1000);
    ASSERT_EQ(port.sent.size(), 1U);
    EXPECT_EQ(port.sent[0].destination, 0U);
    EXPECT_EQ(port.sent[0].bytes, 4U);  // an integer
}

TEST(RandomPairs, AreAsManyAsThereArePairs) {
    fake_port port(7, 3);
    const auto w = make_workload(section({{"workload", "random"}}), 7);
    w->start(port);
    port.run(*w, 10000);
    EXPECT_TRUE(w->finished());
    ASSERT_EQ(port.sent.size(), 49U);
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t k = 0; k < port.sent.size(); ++k) {
        EXPECT_NE(port.sent[k].source, port.sent[k].destination);
        EXPECT_LT(port.sent[k].destination, 7U);
        EXPECT_EQ(port.sent[k].generated, k * 3);  // one at a time
        pairs.insert({port.sent[k].source, port.sent[k].destination});
    }
    EXPECT_GT(pairs.size(), 20U);  // of 42; 49 draws leave out 13 of them, more or less
}

TEST(RandomPairs, KeepSomeOnTheirWay) {
    fake_port port(20, 50);
    const auto w =
        make_workload(section({{"workload", "random"}, {"messages", "100"}, {"outstanding", "8"}}), 20);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_EQ(port.sent.size(), 100U);
    EXPECT_EQ(w->finished(), true);
    EXPECT_EQ(port.sent[7].generated, 0U);
    EXPECT_GE(port.sent[8].generated, 50U);
}

TEST(RandomPairs, AreDrawnByTheSeed) {
    const auto sent = [](std::uint64_t seed) {
        fake_port port(9);
        port.the_seed = seed;
        const auto w = make_workload(section({{"workload", "random"}}), 9);
        w->start(port);
        port.run(*w, 100000);
        std::vector<std::uint32_t> all;
        for (const auto& m : port.sent) all.push_back(m.source * 9 + m.destination);
        return all;
    };
    EXPECT_EQ(sent(3), sent(3));
    EXPECT_NE(sent(3), sent(4));
}

TEST(Micro, RefusesImpossibleParameters) {
    const auto error = [](std::vector<std::pair<std::string, std::string>> all) {
        return error_of([&] { make_workload(section(all), 4); });
    };
    EXPECT_EQ(error({{"workload", "ring"}, {"rounds", "0"}}),
              "test.yaml:1:2: 'rounds' is 0; it must be from 1 to 1000000000");
    EXPECT_EQ(error({{"workload", "random"}, {"outstanding", "0"}}),
              "test.yaml:1:2: 'outstanding' is 0; it must be from 1 to 1000000000");
    EXPECT_NE(error({{"workload", "ring"}, {"bytes", "-1"}}), "");
    EXPECT_NE(error({{"workload", "ring"}, {"outstanding", "2"}}), "");
}

}  // namespace
}  // namespace sare::micro_test
