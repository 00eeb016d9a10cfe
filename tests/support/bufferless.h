// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/test_fabric.h"
#include "tests/support/told_traffic.h"
#include "tlm/network/results/router_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

/// What the tests of routers without buffers share.
namespace sare::test {

/// What the kind counts of its own.
inline std::map<std::string, double> counts_of(const fabric& net) {
    const auto all = router_counts(net.view());
    return {all.begin(), all.end()};
}

/// Packets in flits and cycles, in order of cycles and nodes: without what depends on where they are kept.
inline std::vector<std::vector<std::uint64_t>> sorted_lines(const packet_log& log) {
    std::vector<std::vector<std::uint64_t>> lines;
    for (std::size_t k = 0; k < log.lines.size(); k += 8)
        lines.emplace_back(log.lines.begin() + static_cast<std::ptrdiff_t>(k),
                           log.lines.begin() + static_cast<std::ptrdiff_t>(k) + 8);
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// Runs random messages until none is left; `look` is called after every cycle that is run, and says what is
/// wrong. Every message was delivered once or dropped and told, and nothing is left.
inline void run_empty(test_fabric& f, told_messages& traffic,
                      const std::function<std::string(cycle_t)>& look) {
    constexpr cycle_t too_long = 3'000'000;
    f.net.stepper().set_workload(&traffic);
    cycle_t t = 0;
    for (; t < too_long; t = f.net.stepper().next_work(t)) {
        f.net.stepper().step(t);
        ASSERT_EQ(look(t), "") << "cycle " << t;
    }
    ASSERT_EQ(t, workload::never) << "it does not end";
    EXPECT_TRUE(f.net.view().empty());
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_EQ(f.net.view().flits_inside(), 0U);
    EXPECT_EQ(f.net.view().packets_inside(), 0U);
    EXPECT_EQ(traffic.unaccounted(), 0U);
    EXPECT_EQ(f.net.view().changes().lost_messages, traffic.lost());
}

/// What becomes of every packet, blocks being evaluated in an order drawn from `shuffle`, or in theirs for 0.
inline std::vector<std::vector<std::uint64_t>> lines_of(const fabric_setting& s, std::uint64_t shuffle,
                                                        cycle_t end) {
    test_fabric f(s);
    if (shuffle != 0) f.net.stepper().shuffle_evaluation(shuffle);
    packet_log log;
    f.net.stepper().set_observer(&log);
    const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
    f.net.stepper().set_workload(traffic.get());
    f.run(0, end);
    return sorted_lines(log);
}

/// Workloads that react to what is delivered run the same whatever the order of evaluation.
inline void expect_workloads_run(fabric_setting s) {
    for (const char* traffic :
         {"request_reply outstanding=4", "constant_population messages=3",
          "reactive initial=6 probability=0.9 limit=4000", "burst messages=5",
          "master_worker jobs=9 bytes=90 result_bytes=60 spread=0.5 compute=5e-8",
          "incast bytes=90 repetitions=9 eager_limit=40", "halo cells=5 diagonals=true repetitions=4",
          "random_exchange bytes=90 stages=30", "dpsnn columns=8,8 steps=2 spike_time=0",
          "collective operation=alltoall bytes=60 repetitions=3"}) {
        s.traffic = traffic;
        s.length = "";
        s.classes = std::string(traffic).rfind("request_reply", 0) == 0 ? 2 : 1;
        const auto expected = lines_of(s, 0, 6000);
        EXPECT_GT(expected.size(), 50U) << traffic;
        EXPECT_EQ(lines_of(s, 1, 6000), expected) << traffic;
    }
}

/// The line with which a setting is refused; "" if it is built.
inline std::string refusal(const fabric_setting& s) {
    try {
        test_fabric f(s);
        return "";
    } catch (const config::error& problem) {
        return problem.what();
    }
}

}  // namespace sare::test
