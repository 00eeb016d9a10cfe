// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

namespace sare::traffic::collective_test {
namespace {

/// Runs the programs of all tasks on a machine without time: every message carries all that its sender knows
/// when it sends. What a task knows is how often each task's contribution went into it.
struct machine {
    using knowledge = std::multiset<std::uint32_t>;
    struct sent {
        knowledge what;
        std::uint64_t bytes;
    };

    machine(const collective& c, expander expand, std::vector<knowledge> initial, bool reduces)
        : known(std::move(initial)), m_reduces(reduces) {
        for (std::uint32_t t = 0; t < c.tasks; ++t) {
            programs.emplace_back();
            expand(c, t, programs.back());
        }
        bytes_sent.resize(c.tasks);
        run();
    }

    void run() {
        const std::size_t n = programs.size();
        std::vector<std::size_t> at(n, 0);      // next step to post
        std::vector<std::size_t> waited(n, 0);  // first step whose receive has not been taken in
        for (bool moved = true; moved;) {
            moved = false;
            for (std::uint32_t t = 0; t < n; ++t) {
                // Post up to and including the next step that waits; then take in what these steps receive.
                if (waited[t] == at[t]) {
                    while (at[t] < programs[t].size()) {
                        const step& s = programs[t][at[t]++];
                        if (s.to != step::no_task) {
                            EXPECT_NE(s.to, t);
                            EXPECT_LT(s.to, n);
                            channels[{t, s.to}].push_back({known[t], s.bytes});
                            bytes_sent[t] += s.bytes;
                            moved = true;
                        }
                        if (s.wait) break;
                    }
                }
                for (; waited[t] < at[t]; ++waited[t], moved = true) {
                    const step& s = programs[t][waited[t]];
                    if (s.from == step::no_task) continue;
                    auto& channel = channels[{s.from, t}];
                    if (channel.empty()) break;
                    EXPECT_EQ(channel.front().bytes, s.from_bytes) << "from " << s.from << " to " << t;
                    take(known[t], channel.front().what);
                    channel.pop_front();
                }
            }
        }
        for (std::uint32_t t = 0; t < n; ++t) {
            EXPECT_EQ(at[t], programs[t].size()) << "task " << t << " is stuck";
            EXPECT_EQ(waited[t], at[t]) << "task " << t << " is stuck";
        }
        for (const auto& [who, channel] : channels)
            EXPECT_TRUE(channel.empty())
                << "from " << who.first << " to " << who.second << " is not received";
    }

    /// A reduction adds (nothing may count twice) or replaces a part by the whole; the others unite.
    void take(knowledge& mine, const knowledge& theirs) const {
        std::set<std::uint32_t> both;
        for (const auto x : theirs)
            if (mine.count(x)) both.insert(x);
        if (m_reduces && both.empty()) {
            mine.insert(theirs.begin(), theirs.end());
            return;
        }
        if (m_reduces) {
            EXPECT_EQ(both.size(), std::set<std::uint32_t>(mine.begin(), mine.end()).size())
                << "counted twice";
            mine = theirs;
            return;
        }
        for (const auto x : theirs)
            if (!mine.count(x)) mine.insert(x);
    }

    std::vector<steps> programs;
    std::vector<knowledge> known;
    std::vector<std::uint64_t> bytes_sent;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<sent>> channels;
    bool m_reduces;
};

machine::knowledge all_of(std::uint32_t n) {
    machine::knowledge k;
    for (std::uint32_t i = 0; i < n; ++i) k.insert(i);
    return k;
}

std::uint64_t total(const std::vector<std::uint64_t>& v) {
    std::uint64_t sum = 0;
    for (const auto x : v) sum += x;
    return sum;
}

class every_algorithm : public testing::TestWithParam<std::size_t> {};

TEST_P(every_algorithm, MovesAllDataForEveryNumberOfTasks) {
    const collective_algorithm& a = collective_algorithms()[GetParam()];
    for (std::uint32_t n = 1; n <= 33; ++n)
        for (const std::uint32_t root : {0u, n / 3, n - 1}) {
            SCOPED_TRACE(std::string(op_name(a.what)) + " " + a.name + ", " + std::to_string(n) +
                         " tasks, root " + std::to_string(root));
            collective c;
            c.what = a.what;
            c.tasks = n;
            c.root = root;
            c.bytes = a.what == op::barrier ? 0 : 1000;
            std::vector<std::uint64_t> same(n, 1000);
            if (a.what == op::alltoallv) c.counts = c.receive_counts = &same;
            const bool from_root = a.what == op::bcast || a.what == op::scatter;
            const bool to_root = a.what == op::reduce || a.what == op::gather;
            // Rings and double trees move other parts every step: "all that the sender knows" would count
            // twice there.
            const bool by_parts = a.expand == one_ring || a.expand == two_rings ||
                                  a.expand == rings_by_level || a.expand == allreduce_double_tree;
            const bool reduces =
                a.what == op::reduce || (a.what == op::allreduce && !by_parts) || a.what == op::scan;
            std::vector<machine::knowledge> initial(n);
            for (std::uint32_t t = 0; t < n; ++t)
                if (!from_root || t == root) initial[t].insert(t);
            machine m(c, a.expand, initial, reduces);
            for (std::uint32_t t = 0; t < n; ++t) {
                if (to_root && t != root) continue;
                const machine::knowledge wanted =
                    from_root ? machine::knowledge{root} : all_of(a.what == op::scan ? t + 1 : n);
                EXPECT_EQ(m.known[t], wanted) << "task " << t;
            }
            // The volume, where it has a closed form.
            const std::uint64_t b = c.bytes, others = n - 1, name_bytes = total(m.bytes_sent);
            const std::string name = a.name;
            switch (a.what) {
                case op::bcast:
                    if (name != "scatter_allgather") {
                        EXPECT_EQ(name_bytes, others * b);
                    }
                    break;
                case op::reduce:
                case op::scan:
                    EXPECT_EQ(name_bytes, others * b);
                    break;
                case op::allreduce:
                    if (by_parts || (name == "recursive_halving" && (n & (n - 1)) == 0)) {
                        EXPECT_EQ(name_bytes, 2 * others * b);
                    }
                    break;
                case op::allgather:
                    if (by_parts || (n & (n - 1)) == 0) {
                        EXPECT_EQ(name_bytes, n * others * b);
                    }
                    break;
                case op::alltoall:
                case op::alltoallv:
                case op::reduce_scatter:
                    if (name != "bruck" && (name != "recursive_halving" || (n & (n - 1)) == 0)) {
                        EXPECT_EQ(name_bytes, n * others * b);
                    }
                    break;
                case op::gather:
                case op::scatter:
                    if (name == "linear") {
                        EXPECT_EQ(name_bytes, others * b);
                    } else {
                        EXPECT_GE(name_bytes, others * b);
                    }
                    break;
                default:
                    EXPECT_EQ(name_bytes, 0u);
            }
        }
}

/// Indices of the algorithms whose messages go from task to task.
std::vector<std::size_t> by_tasks() {
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < collective_algorithms().size(); ++k)
        if (collective_algorithms()[k].carrier == collective_carrier::tasks) all.push_back(k);
    return all;
}

INSTANTIATE_TEST_SUITE_P(collective, every_algorithm, testing::ValuesIn(by_tasks()), [](const auto& which) {
    const auto& a = collective_algorithms()[which.param];
    return std::string(op_name(a.what)) + "_" + a.name;
});

TEST(collective, TakesItsNumberOfRounds) {
    const auto rounds = [](expander e, std::uint32_t n) {
        collective c;
        c.tasks = n;
        std::size_t most = 0;
        for (std::uint32_t t = 0; t < n; ++t) {
            steps p;
            e(c, t, p);
            most = std::max(most, p.size());
        }
        return most;
    };
    EXPECT_EQ(rounds(barrier_dissemination, 17), 5u);
    EXPECT_EQ(rounds(allreduce_recursive_doubling, 16), 4u);
    EXPECT_EQ(rounds(allreduce_recursive_doubling, 17), 6u);
    EXPECT_EQ(rounds(allreduce_recursive_halving, 16), 8u);
    EXPECT_EQ(rounds(reduce_scatter_recursive_halving, 16), 4u);
    EXPECT_EQ(rounds(barrier_root, 17), 32u);
    EXPECT_EQ(rounds(barrier_two_level, 16), 12u);  // of task 0: 3 members, 3 others, there and back
    EXPECT_EQ(rounds(bcast_binomial, 16), 4u);
    EXPECT_EQ(rounds(alltoall_bruck, 16), 4u);
    EXPECT_EQ(rounds(one_ring, 10), 9u);
}

/// The parts that a task holds, and the tasks whose contributions each has, as bits.
using parts_held = std::map<std::uint32_t, std::uint64_t>;

/// Follows the parts of a reduce-scatter by one ring: the part of task `t` begins behind it and ends there.
TEST(collective, ReducesEachPartOnItsWayRoundTheRing) {
    for (const std::uint32_t n : {2U, 3U, 8U, 13U}) {
        std::vector<std::uint64_t> counts;  // blocks that their sizes tell apart
        for (std::uint32_t i = 0; i < n; ++i) counts.push_back(1000 + i);
        std::vector<steps> programs(n);
        for (std::uint32_t t = 0; t < n; ++t)
            one_ring({op::reduce_scatter, n, 0, 0, &counts, nullptr}, t, programs[t]);
        std::vector<parts_held> held(n);
        for (std::uint32_t t = 0; t < n; ++t)
            for (std::uint32_t i = 0; i < n; ++i) held[t][i] = std::uint64_t{1} << t;
        for (std::uint32_t s = 0; s + 1 < n; ++s) {
            const std::vector<parts_held> before = held;
            for (std::uint32_t t = 0; t < n; ++t) {
                const step& got = programs[t][s];
                ASSERT_EQ(programs[got.from][s].to, t);
                ASSERT_EQ(programs[got.from][s].bytes, got.from_bytes);
                const auto i = static_cast<std::uint32_t>(got.from_bytes - 1000);
                EXPECT_EQ(held[t][i] & before[got.from].at(i), 0U) << "counted twice";
                held[t][i] |= before[got.from].at(i);
            }
        }
        for (std::uint32_t t = 0; t < n; ++t) EXPECT_EQ(held[t][t], (std::uint64_t{1} << n) - 1);
    }
}

/// By rings a task sends of level l the share (d - 1) / d of what the levels inside have left to it.
TEST(collective, SendsByLevelWhatTheClosedFormSays) {
    const config::value levels =
        config::value::list({config::value::scalar("4"), config::value::scalar("3")});
    for (const std::uint32_t chunks : {1U, 2U, 5U})
        for (const op what : {op::allreduce, op::allgather, op::reduce_scatter}) {
            const std::uint64_t whole = 24 * 60;
            collective c{what, 24, 0, what == op::allreduce ? whole : whole / 24, nullptr, nullptr};
            c.levels = &levels;
            c.chunks = chunks;
            for (std::uint32_t t = 0; t < c.tasks; ++t) {
                steps all;
                rings_by_level(c, t, all);
                std::map<std::uint32_t, std::uint64_t> sent;
                for (std::size_t i = 0; i < all.size(); ++i) sent[all[i].to] += all[i].bytes;
                const std::uint64_t times = what == op::allreduce ? 2 : 1;
                const std::uint32_t inside = t / 4 * 4 + (t + 1) % 4, across = t / 12 * 12 + (t + 4) % 12;
                EXPECT_EQ(sent[inside], times * whole * 3 / 4);
                EXPECT_EQ(sent[across], times * (whole / 4) * 2 / 3);
                EXPECT_EQ(sent[(t + 12) % 24], times * (whole / 12) / 2);
            }
        }
    collective c{op::allreduce, 10, 0, 100, nullptr, nullptr};
    c.levels = &levels;
    steps none;
    EXPECT_THROW(rings_by_level(c, 0, none), config::error);
}

/// All tasks are in both trees; what is inside one is a leaf of the other, but for the roots and odd numbers.
TEST(collective, HasEachTaskInsideOneOfTwoTrees) {
    for (const std::uint32_t n : {2U, 4U, 8U, 14U, 64U}) {
        collective c{op::allreduce, n, 0, 4096, nullptr, nullptr};
        c.chunks = 1;
        for (std::uint32_t t = 0; t < n; ++t) {
            steps all;
            allreduce_double_tree(c, t, all);
            std::uint64_t sent = 0;
            for (std::size_t i = 0; i < all.size(); ++i)
                sent += all[i].to == step::no_task ? 0 : all[i].bytes;
            EXPECT_LE(sent, 2 * c.bytes) << "task " << t << " of " << n;
        }
    }
}

TEST(collective, HandlesUnequalBlocks) {
    const std::uint32_t n = 6;
    std::vector<std::uint64_t> counts{1, 20, 300, 4000, 50000, 600000};
    for (const auto& a : collective_algorithms()) {
        if (a.what != op::allgather && a.what != op::gather && a.what != op::scatter &&
            a.what != op::reduce_scatter)
            continue;
        SCOPED_TRACE(a.name);
        collective c;
        c.what = a.what;
        c.tasks = n;
        c.root = 2;
        c.counts = &counts;
        std::vector<machine::knowledge> initial(n);
        for (std::uint32_t t = 0; t < n; ++t) initial[t].insert(t);
        machine m(c, a.expand, initial, false);  // checks the sizes of both sides
        if (a.what == op::gather) {
            EXPECT_GE(total(m.bytes_sent), 654321u - 300);
        }
    }
}

/// What has no bytes is not sent, and all that is sent is received.
TEST(collective, SendsNothingEmptyInSparseAlltoallv) {
    const std::uint32_t n = 9;
    const auto bytes = [](std::uint32_t from, std::uint32_t to) -> std::uint64_t {
        return (from * to + from) % 3 == 0 ? 0 : 10 * from + to;
    };
    std::size_t messages = 0, wanted = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> open;
    for (std::uint32_t t = 0; t < n; ++t) {
        std::vector<std::uint64_t> counts, receive_counts;
        for (std::uint32_t i = 0; i < n; ++i) {
            counts.push_back(bytes(t, i));
            receive_counts.push_back(bytes(i, t));
            wanted += i != t && bytes(t, i) != 0 ? 1 : 0;
        }
        steps p;
        alltoall_sparse({op::alltoallv, n, 0, 0, &counts, &receive_counts}, t, p);
        for (std::size_t i = 0; i < p.size(); ++i) {
            EXPECT_EQ(p[i].wait, i + 1 == p.size());
            if (p[i].to != step::no_task) {
                EXPECT_NE(p[i].bytes, 0U);
                ++messages;
                open[{t, p[i].to}] += p[i].bytes;
            }
            if (p[i].from != step::no_task) open[{p[i].from, t}] -= p[i].from_bytes;
        }
    }
    EXPECT_EQ(messages, wanted);
    for (const auto& [pair, left] : open) EXPECT_EQ(left, 0U) << pair.first << " to " << pair.second;
}

TEST(collective, ReadsItsChoiceOfAlgorithm) {
    collective_choice c;
    EXPECT_STREQ(c.of(op::gatherv).name, "binomial");
    EXPECT_STREQ(c.of(op::exscan).name, "linear");
    const auto v = config::value::map({{"bcast", config::value::scalar("linear")}});
    collective_fields().read(v, c, "collectives");
    EXPECT_STREQ(c.of(op::bcast).name, "linear");
    try {
        collective_fields().read(
            config::value::map({{"bcast", config::value::scalar("linaer", {"f", 1, 2})}}), c, "collectives");
        FAIL();
    } catch (const config::error& e) {
        EXPECT_STREQ(e.what(), "f:1:2: unknown bcast 'linaer'; did you mean 'linear'?");
    }
}

}  // namespace
}  // namespace sare::traffic::collective_test
