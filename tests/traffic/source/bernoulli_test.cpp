// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"
#include "tlm/api/refusals.h"
#include "traffic/gap/geometric.h"
#include "traffic/source/timed_source.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sare::testing_support::bernoulli_test {
namespace {

TEST(log2, AgreesWithLibm) {
    rng r(1, stream::test, 0);
    for (int i = 0; i < 100000; ++i) {
        const double x = (r.next() + 0.5) / 4294967296.0;
        const double exact = std::log2(x);
        ASSERT_NEAR(traffic::log2_of(x), exact, 1e-11) << x;
    }
}

TEST(geometric, HasTheDistributionOfGaps) {
    for (const double p : {1.0, 0.9, 0.5, 0.2, 0.01, 1e-4}) {
        rng r(7, stream::test, 1);
        const traffic::geometric g(p);
        const int n = 400000;
        double sum = 0;
        std::vector<double> counts(12, 0.0);
        for (int i = 0; i < n; ++i) {
            const cycle_t k = g.next(r);
            ASSERT_GE(k, 1u);
            sum += static_cast<double>(k);
            if (k < counts.size()) counts[k] += 1;
        }
        const double sigma = std::sqrt((1 - p) / (p * p) / n);
        EXPECT_NEAR(sum / n, 1 / p, 4 * sigma + 1e-12) << p;
        for (std::size_t k = 1; k < counts.size(); ++k) {
            const double expected = n * p * std::pow(1 - p, static_cast<double>(k - 1));
            EXPECT_NEAR(counts[k], expected, 4.5 * std::sqrt(expected) + 3) << p << " gap " << k;
        }
    }
}

TEST(geometric, DrawsGapsOfTheSmallestProbabilities) {
    for (const double p : {1e-12, 1e-19, 1e-30, 1e-300, 5e-324}) {
        rng r(7, stream::test, 1);
        const traffic::geometric g(p);
        for (int i = 0; i < 100; ++i) {
            const cycle_t gap = g.next(r);
            EXPECT_GT(gap, 1000u) << p;
            EXPECT_LE(gap, (cycle_t{1} << 62) + 1) << p;
            EXPECT_TRUE(p > 1e-25 || gap > cycle_t{1} << 61) << p;
        }
    }
}

TEST(geometric, IsTheSameOnEveryMachine) {
    rng r(1, stream::arrival, 3);
    const traffic::geometric g(0.05);
    std::uint64_t hash = 0;
    for (int i = 0; i < 10000; ++i) hash = hash * 1000003 + g.next(r);
    EXPECT_EQ(hash, 9996492575441427933ull);
}

TEST(bernoulli, KeepsItsRateAndDestinations) {
    fake_port port(64);
    auto w = make_workload(section({{"workload", "bernoulli"}, {"load", "0.4"}, {"length", "4"}}), 64);
    w->start(port);
    port.run(*w, 20000);
    const double expected = 64 * 20000 * 0.1;
    EXPECT_NEAR(static_cast<double>(port.sent.size()), expected, 4 * std::sqrt(expected));
    const auto counts = w->generated(19999);
    EXPECT_EQ(counts.messages, port.sent.size());
    EXPECT_EQ(counts.flits, 4 * port.sent.size());
    std::vector<int> to(64, 0);
    for (const auto& m : port.sent) {
        EXPECT_NE(m.source, m.destination);
        ++to[m.destination];
    }
    for (const int n : to) EXPECT_NEAR(n, expected / 64, 5 * std::sqrt(expected / 64));
}

TEST(bernoulli, JumpsOverIdleSpans) {
    fake_port port(1);
    auto w = make_workload(section({{"workload", "bernoulli"}, {"load", "0.0001"}}), 1);
    w->start(port);
    port.run(*w, 1000000);
    EXPECT_GT(port.sent.size(), 50u);
    EXPECT_LT(port.ticks, 3 * port.sent.size());
}

/// A source that keeps every arrival in the port's queue: the streams written out.
std::vector<message> reference(std::uint32_t nodes, double p, std::uint32_t min, std::uint32_t max,
                               cycle_t end) {
    std::vector<message> all;
    const traffic::geometric g(p);
    for (std::uint32_t i = 0; i < nodes; ++i) {
        rng arrivals(1, stream::arrival, i), packets(1, stream::packet, i);
        for (cycle_t t = g.next(arrivals) - 1; t < end; t += g.next(arrivals)) {
            message m;
            m.source = i;
            m.flits = min == max ? min : min + arrivals.below(max - min + 1);
            m.destination = packets.below(nodes - 1);
            if (m.destination >= i) ++m.destination;
            m.generated = t;
            all.push_back(m);
        }
    }
    return all;
}

void compare(const std::vector<message>& sent, const std::vector<message>& expected, std::uint32_t nodes) {
    std::vector<std::vector<message>> by_node(nodes);
    for (const auto& m : sent) by_node[m.source].push_back(m);
    std::size_t k = 0;
    for (std::uint32_t i = 0; i < nodes; ++i)
        for (const auto& m : by_node[i]) {
            while (k < expected.size() && expected[k].source < i) ++k;
            ASSERT_LT(k, expected.size());
            ASSERT_EQ(expected[k].source, i);
            ASSERT_EQ(m.generated, expected[k].generated);
            ASSERT_EQ(m.flits, expected[k].flits);
            ASSERT_EQ(m.destination, expected[k].destination);
            ++k;
        }
}

TEST(bernoulli, ReplaysExactlyWhenSaturated) {
    // 5 flits a cycle and node offered, 1 taken: nearly all of it is backlog.
    const auto law = config::value::map({{"name", text("range")}, {"min", text("2")}, {"max", text("8")}});
    auto s = section({{"workload", "bernoulli"}, {"load", "1.5"}, {"stop_cycle", "3000"}});
    s.set("length", law);
    fake_port port(8);
    auto w = make_workload(s, 8);
    w->start(port);
    const auto all = reference(8, 1.5 / 5, 2, 8, 3000);
    for (const cycle_t until : {1ull, 500ull, 501ull, 502ull, 600ull, 2000ull, 3000ull, 100000ull}) {
        port.run(*w, until);
        std::uint64_t messages = 0, flits = 0;
        for (const auto& m : all)
            if (m.generated < until) {
                ++messages;
                flits += m.flits;
            }
        EXPECT_EQ(w->generated(until - 1).messages, messages) << until;
        EXPECT_EQ(w->generated(until - 1).flits, flits) << until;
    }
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(port.sent.size(), all.size());
    EXPECT_LE(port.longest_queue, 16u);
    compare(port.sent, all, 8);
}

TEST(bernoulli, DrawsNothingWhileItsLimitedQueueIsFull) {
    fake_port port(4);
    auto w = make_workload(
        section({{"workload", "bernoulli"}, {"load", "1"}, {"length", "4"}, {"source_queue", "1"}}), 4);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_EQ(port.longest_queue, 1u);
    // 4 cycles of sending, and no draw in 3 of them: a renewal process of mean 3 + 1/p, p = 1/4.
    const double expected = 4 * 100000 / 7.0;
    EXPECT_NEAR(static_cast<double>(port.sent.size()), expected, 0.02 * expected);
    // What the law makes meanwhile is refused: in all, its load.
    const generated_counts made = w->generated(99999);
    generated_counts refused;
    for (std::uint32_t i = 0; i < 4; ++i) refused += refused_by(*w, i);
    EXPECT_EQ(made.messages, port.sent.size() + refused.messages);
    EXPECT_EQ(made.flits, 4 * made.messages);
    EXPECT_NEAR(static_cast<double>(made.messages), 100000, 4 * std::sqrt(100000));
}

/// A message a cycle; counts how often it is asked for the next.
struct asked_law {
    struct clock {
        rng random;
    };
    static constexpr bool several = false;
    std::uint64_t* asked;
    cycle_t first(clock&, cycle_t from) const { return from; }
    cycle_t next(clock&) const {
        ++*asked;
        return 1;
    }
};

/// However often it is asked what was made while nothing leaves.
TEST(bernoulli, CountsWhatWaitsOnce) {
    for (const std::uint32_t limit : {0U, 1U}) {
        std::uint64_t asked = 0;
        traffic::timed_parameters p;
        p.source_queue = limit;
        traffic::timed_source<asked_law> w(p, "", traffic::make_length(p.length), 1, asked_law{&asked});
        fake_port port(2);
        port.blocked = true;
        w.start(port);
        for (cycle_t t = 1; t <= 500; ++t) {
            port.run(w, t);
            ASSERT_EQ(w.generated(t - 1).messages, 2 * t);
        }
        EXPECT_LE(asked, 2u * 500);
        EXPECT_EQ(refused_by(w, 0).messages, limit == 0 ? 0 : 499u);
    }
}

TEST(bernoulli, StartsAndStops) {
    fake_port port(4);
    auto w = make_workload(
        section({{"workload", "bernoulli"}, {"load", "1"}, {"start_cycle", "50"}, {"stop_cycle", "60"}}), 4);
    w->start(port);
    port.run(*w, 1000);
    EXPECT_EQ(port.sent.size(), 40u);
    EXPECT_EQ(port.sent.front().generated, 50u);
    EXPECT_EQ(port.sent.back().generated, 59u);
    EXPECT_TRUE(w->finished());
}

TEST(bernoulli, ReportsMistakesInOneLine) {
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "bernoulli"}, {"load", "3"}, {"length", "2"}}), 4);
              }),
              "test.yaml:1:2: 'load' is 3, more than a message of 2 flits every cycle; at most 2");
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "bernouli"}}), 4);
              }),
              "test.yaml:1:2: unknown workload 'bernouli'; did you mean 'bernoulli'?");
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "bernoulli"}, {"length", "0"}}), 4);
              }),
              "test.yaml:1:2: 'length' is 0; it must be from 1 to 1048576");
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "bernoulli"}, {"length", "bimodel"}}), 4);
              }),
              "test.yaml:1:2: unknown length 'bimodel'; did you mean 'bimodal'?");
    fake_port port(4);
    auto w = make_workload(section({{"workload", "bernoulli"}, {"pattern", "unifrom"}}), 4);
    EXPECT_EQ(error_of([&] { w->start(port); }),
              "test.yaml:1:2: unknown pattern 'unifrom'; did you mean 'uniform'?");
}

}  // namespace
}  // namespace sare::testing_support::bernoulli_test
