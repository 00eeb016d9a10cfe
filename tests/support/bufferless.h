// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/test_fabric.h"
#include "tests/support/told_traffic.h"
#include "tlm/router/own_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

/// What the tests of routers without buffers share.
namespace sare::test {

/// What the kind counts of its own.
inline std::map<std::string, double> counts_of(const fabric& net) {
    std::map<std::string, double> sum;
    std::set<const router_bank*> seen;
    const own_counts* last = nullptr;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        if (seen.insert(&net.bank_of(r)).second) {
            last = dynamic_cast<const own_counts*>(&net.bank_of(r));
            last->add_counts(sum);
        }
    last->finish_counts(sum);
    return sum;
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
inline void run_empty(test_fabric& f, told_messages& traffic, const std::function<std::string(cycle_t)>& look) {
    constexpr cycle_t too_long = 3'000'000;
    f.net.set_workload(&traffic);
    cycle_t t = 0;
    for (; t < too_long; t = f.net.next_work(t)) {
        f.net.step(t);
        ASSERT_EQ(look(t), "") << "cycle " << t;
    }
    ASSERT_EQ(t, workload::never) << "it does not end";
    EXPECT_TRUE(f.net.empty());
    EXPECT_EQ(f.net.leftovers(), "");
    EXPECT_EQ(f.net.flits_inside(), 0U);
    EXPECT_EQ(f.net.packets_inside(), 0U);
    EXPECT_EQ(traffic.unaccounted(), 0U);
    EXPECT_EQ(f.net.changes().lost_messages, traffic.lost());
}

/// What becomes of every packet, blocks being evaluated in an order drawn from `shuffle`, or in theirs for 0.
inline std::vector<std::vector<std::uint64_t>> lines_of(const fabric_setting& s, std::uint64_t shuffle,
                                                        cycle_t end) {
    test_fabric f(s);
    if (shuffle != 0) f.net.shuffle_evaluation(shuffle);
    packet_log log;
    f.net.set_observer(&log);
    const auto traffic = traffic_of(s.traffic, f.net.nodes(), s.length);
    f.net.set_workload(traffic.get());
    f.run(0, end);
    return sorted_lines(log);
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
