// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/backlog.h"
#include "tlm/api/counted_network.h"
#include "tlm/api/packet_changes.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>

/// Queues of which it is known whether they grow: messages at random, and a server.
namespace sare::backlog_test {
namespace {

struct silent_workload final : workload {
    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
};

/// A queue a node, which sends `rate` flits a cycle of messages of `length` flits that come with `load`.
class queues final : public counted_network {
  public:
    struct queue {
        double load, rate;
    };
    queues(std::vector<queue> all, std::uint32_t length, std::uint64_t seed)
        : m_all(std::move(all)),
          m_counts(m_all.size()),
          m_sent(m_all.size()),
          m_length(length),
          m_random(seed, stream::test, 7) {}

    void run(cycle_t cycles) {
        for (cycle_t t = 0; t < cycles; ++t)
            for (std::size_t n = 0; n < m_all.size(); ++n) {
                node_counts& c = m_counts[n];
                if (m_random.uniform() < m_all[n].load / m_length) c.waiting.flits += m_length;
                m_sent[n] += m_all[n].rate;
                if (c.waiting.flits == 0) m_sent[n] = std::min(m_sent[n], 1.0);
                if (m_sent[n] < 1 || c.waiting.flits == 0) continue;
                m_sent[n] -= 1;
                --c.waiting.flits;
                ++c.injected_flits;
            }
    }

    std::uint32_t nodes() const override { return static_cast<std::uint32_t>(m_all.size()); }
    node_counts counts_of(std::uint32_t node) const override { return m_counts[node]; }
    generated_counts waiting_of(std::uint32_t node, std::uint32_t) const override {
        return m_counts[node].waiting;
    }
    generated_counts unsent_of(std::uint32_t, std::uint32_t) const override { return {}; }
    const topology* map() const override { return nullptr; }
    std::uint64_t flits_injected() const override { return 0; }
    std::uint64_t flits_consumed() const override { return 0; }
    std::uint64_t packets_injected() const override { return 0; }
    std::uint64_t packets_consumed() const override { return 0; }
    std::uint64_t messages_started() const override { return 0; }
    std::uint64_t flit_hops() const override { return 0; }
    const packet_changes& changes() const override { return m_none; }
    std::uint32_t vcs() const override { return 0; }
    std::uint32_t routers() const override { return 0; }
    std::uint32_t ports(std::uint32_t) const override { return 0; }
    std::uint32_t flits_sent() const override { return 0; }
    std::uint32_t flits_sent(std::uint32_t, std::uint32_t, std::uint32_t) const override { return 0; }
    void count_buffers(std::vector<std::uint64_t>&) const override {}

  private:
    std::vector<queue> m_all;
    std::vector<node_counts> m_counts;
    std::vector<double> m_sent;
    std::uint32_t m_length;
    rng m_random;
    packet_changes m_none;
};

/// As the method goes by default: intervals of 1,000 cycles, and the last ten are the window.
source_backlogs::trend trend_of(const std::vector<queues::queue>& all, std::uint32_t length,
                                std::uint64_t seed) {
    queues net(all, length, seed);
    silent_workload none;
    source_backlogs seen;
    for (cycle_t n = 1; n <= 16; ++n) {
        if (n == 7) seen.start_window();
        net.run(1000);
        seen.note(1000 * n, net, none);
    }
    return seen.find_trend(length);
}

std::vector<std::uint32_t> nodes_of(const std::vector<source_backlogs::growth>& some) {
    std::vector<std::uint32_t> all;
    for (const auto& g : some) all.push_back(g.node);
    return all;
}

TEST(SourceBacklogs, DoNotGrowWhereSourcesKeepUp) {
    int doubtful = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const std::uint32_t length = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 8 : 32;
        std::vector<queues::queue> all;
        for (int n = 0; n < 10; ++n) all.push_back({0.05 * (1 + n), 0.05 * (1 + n) / 0.85});
        const auto trend = trend_of(all, length, seed);
        EXPECT_TRUE(trend.growing.empty()) << seed << ": node " << trend.growing.front().node;
        EXPECT_FALSE(trend.all_together) << seed;
        EXPECT_EQ(trend.sources, 10U);
        doubtful += static_cast<int>(trend.doubtful.size());
        for (const auto& g : trend.doubtful) {  // of a window of 10,000 cycles
            const double load = all[g.node].load, left = all[g.node].rate - load;
            EXPECT_GT(load * length / (left * left), 1000) << seed << ": node " << g.node;
        }
    }
    EXPECT_LE(doubtful, 10);  // of 120
}

/// One that is offered a fifth too much among nine that are not.
TEST(SourceBacklogs, ShowASourceThatIsOfferedTooMuch) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        std::vector<queues::queue> all(10, {0.5, 0.6});
        const auto bad = static_cast<std::uint32_t>(seed % 10);
        all[bad].rate = 0.4;
        const auto trend = trend_of(all, 4, seed);
        ASSERT_EQ(nodes_of(trend.growing), std::vector{bad}) << seed;
        EXPECT_NEAR(trend.growing[0].offered, 0.5, 0.05);
        EXPECT_NEAR(trend.growing[0].sent, 0.4, 0.01);
    }
}

TEST(SourceBacklogs, ShowASourceThatSendsNothing) {
    std::vector<queues::queue> all(5, {0.05, 0.1});
    all[3].rate = 0;
    EXPECT_EQ(nodes_of(trend_of(all, 32, 1).growing), std::vector<std::uint32_t>{3});
}

/// Each alone could be chance, all together not.
TEST(SourceBacklogs, ShowManyThatGrowSlowlyTogether) {
    const auto trend = trend_of(std::vector<queues::queue>(60, {0.5, 0.48}), 4, 3);
    EXPECT_LT(trend.growing.size(), 30U);
    EXPECT_TRUE(trend.all_together);
}

/// Those that send just what they are offered: no window is long enough for them, however their backlogs end.
TEST(SourceBacklogs, LeaveSourcesAtTheirLimitInDoubt) {
    std::size_t doubtful = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const auto trend = trend_of(std::vector<queues::queue>(10, {0.5, 0.5}), 8, seed);
        doubtful += trend.growing.size() + trend.doubtful.size();
    }
    EXPECT_GT(doubtful, 36U);  // of 120; by how they end 12 would be
}

/// Of each class a queue at each node, which sends by itself.
class queues_of_classes final : public counted_network {
  public:
    explicit queues_of_classes(std::vector<queues> all) : m_all(std::move(all)) {}
    void run(cycle_t cycles, source_backlogs& seen) {
        for (std::uint32_t c = 0; c < m_all.size(); ++c) {
            std::vector<std::uint64_t> before;
            for (std::uint32_t n = 0; n < nodes(); ++n)
                before.push_back(m_all[c].counts_of(n).injected_flits);
            m_all[c].run(cycles);
            for (std::uint32_t n = 0; n < nodes(); ++n)
                seen.injected(n, c,
                              static_cast<std::uint32_t>(m_all[c].counts_of(n).injected_flits - before[n]));
        }
    }

    std::uint32_t nodes() const override { return m_all[0].nodes(); }
    std::uint32_t classes() const override { return static_cast<std::uint32_t>(m_all.size()); }
    node_counts counts_of(std::uint32_t node) const override {
        node_counts sum;
        for (const queues& q : m_all) sum += q.counts_of(node);
        return sum;
    }
    generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_all[message_class].counts_of(node).waiting;
    }
    generated_counts unsent_of(std::uint32_t, std::uint32_t) const override { return {}; }
    const topology* map() const override { return nullptr; }
    std::uint64_t flits_injected() const override { return 0; }
    std::uint64_t flits_consumed() const override { return 0; }
    std::uint64_t packets_injected() const override { return 0; }
    std::uint64_t packets_consumed() const override { return 0; }
    std::uint64_t messages_started() const override { return 0; }
    std::uint64_t flit_hops() const override { return 0; }
    const packet_changes& changes() const override { return m_all[0].changes(); }
    std::uint32_t vcs() const override { return 0; }
    std::uint32_t routers() const override { return 0; }
    std::uint32_t ports(std::uint32_t) const override { return 0; }
    std::uint32_t flits_sent() const override { return 0; }
    std::uint32_t flits_sent(std::uint32_t, std::uint32_t, std::uint32_t) const override { return 0; }
    void count_buffers(std::vector<std::uint64_t>&) const override {}

  private:
    std::vector<queues> m_all;
};

/// It is less than a hundredth of what its node sends.
TEST(SourceBacklogs, ShowAStarvingClassBesideAnother) {
    std::vector<queues::queue> rare(4, {0.004, 0.1});
    rare[2].rate = 0;
    queues_of_classes net({queues(std::vector<queues::queue>(4, {0.5, 0.6}), 1, 1), queues(rare, 1, 2)});
    silent_workload none;
    source_backlogs seen(4, 2);
    for (cycle_t n = 1; n <= 16; ++n) {
        if (n == 7) seen.start_window();
        net.run(1000, seen);
        seen.note(1000 * n, net, none);
    }
    const auto trend = seen.find_trend(1);
    ASSERT_EQ(nodes_of(trend.growing), std::vector<std::uint32_t>{2});
    ASSERT_EQ(trend.growing[0].classes.size(), 1U);
    const auto& starved = trend.growing[0].classes[0];
    EXPECT_EQ(starved.message_class, 1U);
    EXPECT_NEAR(starved.offered, 0.004, 0.002);
    EXPECT_EQ(starved.sent, 0);
    EXPECT_NEAR(starved.error, std::sqrt(0.004 / 10'000), 0.0005);
    EXPECT_NEAR(trend.growing[0].sent, 0.5, 0.03);
}

/// What piled up at first and then stays is no growth.
TEST(SourceBacklogs, ShowNoGrowthWhereItHasStopped) {
    queues first({{0.9, 0.1}}, 1, 1);
    silent_workload none;
    source_backlogs seen;
    first.run(3000);
    seen.note(3000, first, none);
    seen.start_window();
    for (cycle_t n = 4; n <= 13; ++n) seen.note(1000 * n, first, none);
    const auto trend = seen.find_trend(1);
    EXPECT_TRUE(trend.growing.empty());
    EXPECT_TRUE(trend.doubtful.empty());
    EXPECT_FALSE(trend.all_together);
}

}  // namespace
}  // namespace sare::backlog_test
