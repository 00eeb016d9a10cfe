// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"
#include "tests/traffic/statistics.h"

#include <gtest/gtest.h>

#include <map>

/// The laws of the open-loop sources at fixed seeds.
namespace sare::testing_support::open_loop_test {
namespace {

using entries = std::vector<std::pair<std::string, std::string>>;

std::vector<message> run(const entries& all, std::uint32_t nodes, cycle_t cycles) {
    fake_port port(nodes);
    auto w = make_workload(section(all), nodes);
    w->start(port);
    port.run(*w, cycles);
    EXPECT_LE(port.ticks, 2 * port.sent.size());
    std::uint64_t made = w->generated(cycles - 1).messages;
    for (std::uint32_t i = 0; i < nodes; ++i) made -= backlog_at(*w, i).messages;
    EXPECT_EQ(made, port.sent.size());
    return port.sent;
}

/// Cycles between the messages of every node.
std::vector<std::uint64_t> gaps(const std::vector<message>& sent) {
    std::vector<std::uint64_t> all;
    std::map<std::uint32_t, cycle_t> last;
    for (const auto& m : sent) {
        const auto before = last.find(m.source);
        if (before != last.end()) all.push_back(m.generated - before->second);
        last[m.source] = m.generated;
    }
    return all;
}

TEST(open_loop, KeepsItsLoadWithinHalfAPercent) {
    const std::vector<entries> sources = {{{"workload", "bernoulli"}},
                                          {{"workload", "poisson"}},
                                          {{"workload", "on_off"}, {"on_cycles", "20"}, {"off_cycles", "10"}},
                                          {{"workload", "constant_rate"}}};
    for (auto source : sources)
        for (const char* length : {"1", "3", "bimodal", "range"})
            for (const char* pattern : {"uniform", "distribution", "tornado"}) {
                source.insert(source.end(), {{"length", length}, {"pattern", pattern}, {"load", "0.55"}});
                std::uint64_t flits = 0;
                for (const auto& m : run(source, 64, 50000)) flits += m.flits;
                EXPECT_NEAR(static_cast<double>(flits) / 64 / 50000, 0.55, 0.005 * 0.55)
                    << source[0].second << ' ' << length << ' ' << pattern;
                source.resize(source.size() - 3);
            }
}

TEST(open_loop, SendsToDestinationsOfItsPattern) {
    for (const char* source : {"bernoulli", "poisson", "on_off", "constant_rate"}) {
        const auto sent = run({{"workload", source}, {"load", "0.2"}, {"pattern", "hotspot"}}, 20, 20000);
        std::vector<double> seen(20, 0.0);
        double all = 0;
        for (const auto& m : sent)
            if (m.source != 0) {
                seen[m.destination] += 1;
                all += 1;
            }
        std::vector<double> expected(20, all * 0.9 / 19 * 18 / 19);
        expected[0] = all * (0.1 + 0.9 / 19);
        expect_chi_square(seen, expected);
    }
}

TEST(bernoulli, HasGeometricGaps) {
    const double p = 0.2;
    expect_whole_numbers(gaps(run({{"workload", "bernoulli"}, {"load", "0.2"}}, 16, 20000)), 60,
                         [p](double k) { return k == 0 ? 0 : p * std::pow(1 - p, k - 1); });
}

TEST(poisson, HasExponentialGaps) {
    // Of times of which only the cycle is kept: the law of floor(t + gap) - floor(t).
    for (const double rate : {0.05, 0.4, 0.9}) {
        const auto sent = run({{"workload", "poisson"}, {"load", config::number_text(rate)}}, 64, 40000);
        expect_whole_numbers(gaps(sent), 100, [rate](double k) {
            const double inside = 1 - std::exp(-rate);
            return k == 0 ? 1 - inside / rate : std::exp(-rate * (k - 1)) * inside * inside / rate;
        });
    }
}

TEST(poisson, MakesSeveralMessagesInACycle) {
    const auto sent = run({{"workload", "poisson"}, {"load", "0.7"}}, 64, 10000);
    std::vector<std::uint64_t> made(64 * 10000, 0);
    for (const auto& m : sent) ++made[m.source * 10000 + m.generated];
    expect_whole_numbers(made, 8,
                         [](double k) { return std::exp(-0.7) * std::pow(0.7, k) / std::tgamma(k + 1); });
}

/// A backlog that is drawn again is the one that was counted, where several messages fall into a cycle too.
TEST(open_loop, ReplaysSaturatedSourcesExactly) {
    for (const char* source : {"poisson", "on_off", "constant_rate"}) {
        fake_port port(8);
        auto w = make_workload(section({{"workload", source},
                                        {"load", source[0] == 'o' ? "0.7" : "7.3"},
                                        {"length", "range"},
                                        {"stop_cycle", "2000"}}),
                               8);
        w->start(port);
        std::map<cycle_t, generated_counts> counted;
        for (const cycle_t until : {1ull, 500ull, 501ull, 640ull, 2000ull, 2001ull, 100000ull}) {
            port.run(*w, until);
            counted[until] = w->generated(until - 1);
        }
        EXPECT_TRUE(w->finished());
        EXPECT_LE(port.longest_queue, 16u);
        for (const auto& [until, counts] : counted) {
            std::uint64_t messages = 0, flits = 0;
            for (const auto& m : port.sent)
                if (m.generated < until) {
                    ++messages;
                    flits += m.flits;
                }
            EXPECT_EQ(counts.messages, messages) << source << ' ' << until;
            EXPECT_EQ(counts.flits, flits) << source << ' ' << until;
        }
    }
}

TEST(constant_rate, MakesAMessageAPeriod) {
    const auto times = [](const entries& all) {
        std::vector<cycle_t> t;
        for (const auto& m : run(all, 1, 14)) t.push_back(m.generated);
        return t;
    };
    EXPECT_EQ(times({{"workload", "constant_rate"}, {"load", "0.4"}, {"phase", "common"}}),
              (std::vector<cycle_t>{0, 2, 5, 7, 10, 12}));
    EXPECT_EQ(times({{"workload", "constant_rate"},
                     {"load", "1.5"},
                     {"phase", "common"},
                     {"start_cycle", "2"},
                     {"stop_cycle", "6"}}),
              (std::vector<cycle_t>{2, 2, 3, 4, 4, 5}));
}

TEST(constant_rate, HasUniformPhases) {
    const auto sent = run({{"workload", "constant_rate"}, {"load", "0.05"}}, 4000, 40);
    ASSERT_EQ(sent.size(), 8000u);
    std::vector<std::uint64_t> first;
    for (const auto& m : sent)
        if (m.generated < 20) first.push_back(m.generated);
    EXPECT_EQ(first.size(), 4000u);
    expect_whole_numbers(first, 20, [](double) { return 1 / 20.0; });
    for (const auto gap : gaps(sent)) EXPECT_EQ(gap, 20u);
}

/// With a message in every cycle that is on, the times on and off can be seen.
TEST(on_off, HasGeometricTimesOnAndOff) {
    const auto sent =
        run({{"workload", "on_off"}, {"load", "0.2"}, {"on_cycles", "8"}, {"off_cycles", "32"}}, 64, 20000);
    std::vector<std::uint64_t> on, off;
    std::map<std::uint32_t, std::pair<cycle_t, std::uint64_t>> runs;
    double begun = 0;
    for (const auto& m : sent) {
        auto& [last, length] = runs[m.source];
        if (m.generated == 0) begun += 1;
        if (length != 0 && m.generated != last + 1) {
            on.push_back(length);
            off.push_back(m.generated - last - 1);
            length = 0;
        }
        last = m.generated;
        ++length;
    }
    const auto law = [](double mean) {
        return [mean](double k) { return k == 0 ? 0 : std::pow(1 - 1 / mean, k - 1) / mean; };
    };
    expect_whole_numbers(on, 40, law(8));
    expect_whole_numbers(off, 120, law(32));
    EXPECT_NEAR(begun, 64 * 0.2, 4 * std::sqrt(64 * 0.2 * 0.8));
}

TEST(on_off, SpendsNothingOnIdleTimes) {
    const auto sent =
        run({{"workload", "on_off"}, {"load", "0.0001"}, {"on_cycles", "100"}, {"off_cycles", "900000"}}, 4,
            2000000);
    EXPECT_GT(sent.size(), 100u);  // run() has seen that there are hardly more ticks than messages
}

TEST(open_loop, TakesLoadsOfNothingAndNextToNothing) {
    for (const char* source : {"bernoulli", "poisson", "on_off", "constant_rate"})
        for (const char* load : {"0", "1e-300"}) {
            fake_port port(4);
            auto w = make_workload(section({{"workload", source}, {"load", load}}), 4);
            w->start(port);
            EXPECT_GT(w->next_tick(), 1000000000u) << source;
            EXPECT_EQ(w->finished(), load[0] == '0');
        }
}

TEST(open_loop, ReportsMistakesInOneLine) {
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "on_off"}, {"load", "0.5"}}), 4);
              }),
              "test.yaml:1:2: 'load' is 0.5: 2 while on, more than a message of 1 flits every cycle; at most "
              "0.25");
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "on_off"}, {"on_cycles", "0"}}), 4);
              }),
              "test.yaml:1:2: 'on_cycles' is 0; it must be from 1 to 1e+12");
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "constant_rate"}, {"phase", "comon"}}), 4);
              }).substr(0, 42),
              "test.yaml:1:2: unknown phase 'comon'; did ");
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "poisson"}, {"load", "-1"}}), 4);
              }),
              "test.yaml:1:2: 'load' is -1; it must be from 0 to 1e+06");
}

}  // namespace
}  // namespace sare::testing_support::open_loop_test
