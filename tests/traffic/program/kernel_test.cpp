// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/kernel_run.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

/// Messages, bytes and critical path of every kernel equal their closed forms where nothing contends.
namespace sare::testing_support::kernel_test {
namespace {

TEST(BinaryTree, TakesOneStageAfterAnother) {
    for (const std::uint32_t n : {1U, 2U, 8U, 64U, 256U}) {
        const kernel_run r("binary_tree", n, {{"bytes", "80"}});
        EXPECT_EQ(r.messages(), n - 1);
        EXPECT_EQ(r.bytes(), (n - 1) * 80U);
        EXPECT_EQ(r.cycles(), stages(n) * hop(10));
    }
}

/// The root has its last message from the subtree with the most stages that begins it.
TEST(BinaryTree, TakesAnyNumberOfTasks) {
    const std::function<std::uint64_t(std::uint64_t, std::uint64_t)> ready = [&](std::uint64_t root,
                                                                                 std::uint64_t n) {
        std::uint64_t at = 0;
        for (std::uint64_t bit = 1; root + bit < n && (root == 0 || (root & bit) == 0); bit *= 2)
            at = std::max(at, ready(root + bit, n) + hop(10));
        return at;
    };
    for (const std::uint32_t n : {3U, 5U, 6U, 12U, 100U}) {
        const kernel_run r("binary_tree", n, {{"bytes", "80"}});
        EXPECT_EQ(r.messages(), n - 1);
        EXPECT_EQ(r.cycles(), ready(0, n)) << n;
    }
}

TEST(BinaryTree, GrowsComputesAndRepeats) {
    // 1, 2, 4 flits; a computation of 5 cycles after each.
    const kernel_run doubling("binary_tree", 8,
                              {{"bytes", "8"}, {"growth", "doubling"}, {"compute", "5e-9"}});
    EXPECT_EQ(doubling.cycles(), hop(1) + hop(2) + hop(4) + 15);
    EXPECT_EQ(doubling.bytes(), 4 * 8 + 2 * 16 + 32U);
    const kernel_run halving("binary_tree", 16, {{"bytes", "32"}, {"growth", "halving"}});
    EXPECT_EQ(halving.cycles(), hop(4) + hop(2) + hop(1) + hop(1));
    EXPECT_EQ(halving.bytes(), 8 * 32 + 4 * 16 + 2 * 8 + 4U);
    const kernel_run listed("binary_tree", 16, {{"sizes", "80 16 8"}});
    EXPECT_EQ(listed.cycles(), hop(10) + hop(2) + hop(1) + hop(1));
    // Leaves send all at once: their messages leave one after the other and the root is never late.
    const kernel_run twice("binary_tree", 2, {{"bytes", "80"}, {"repetitions", "3"}});
    EXPECT_EQ(twice.cycles(), hop(10, 2));
    EXPECT_EQ(twice.messages(), 3U);
}

/// A message waits in its node for those of later stages; one more hop costs more than waiting.
TEST(InverseBinaryTree, TakesOneStageAfterAnother) {
    for (const std::uint32_t n : {1U, 2U, 8U, 64U, 256U}) {
        const kernel_run r("inverse_binary_tree", n, {{"bytes", "80"}, {"compute", "3e-9"}});
        EXPECT_EQ(r.messages(), n - 1);
        EXPECT_EQ(r.bytes(), (n - 1) * 80U);
        EXPECT_EQ(r.cycles(), stages(n) * (hop(10) + 3));
    }
    // Scatter: 4, 2, 1 flits from the root; the last leaf is three hops away.
    const kernel_run scatter("inverse_binary_tree", 8, {{"bytes", "8"}, {"growth", "doubling"}});
    EXPECT_EQ(scatter.cycles(), hop(4) + hop(2) + hop(1));
}

TEST(Barrier, IsATreeAndItsInverse) {
    for (const std::uint32_t n : {2U, 4U, 32U, 128U}) {
        const kernel_run r("barrier", n);
        EXPECT_EQ(r.messages(), 2 * (n - 1));
        EXPECT_EQ(r.bytes(), 0U);
        EXPECT_EQ(r.cycles(), 2 * stages(n) * hop(1));
    }
    EXPECT_EQ(kernel_run("barrier", 16, {{"compute", "7e-9"}, {"repetitions", "2"}}).cycles(),
              2 * (7 + 8 * hop(1)));
    EXPECT_EQ(kernel_run("barrier", 13).messages(), 24U);
}

TEST(Butterfly, ExchangesInEveryStage) {
    for (const std::uint32_t n : {1U, 2U, 16U, 128U}) {
        const kernel_run r("butterfly", n, {{"bytes", "80"}, {"compute", "2e-9"}});
        EXPECT_EQ(r.messages(), std::uint64_t{n} * stages(n));
        EXPECT_EQ(r.bytes(), std::uint64_t{n} * stages(n) * 80);
        EXPECT_EQ(r.cycles(), stages(n) * (hop(10) + 2));
    }
    EXPECT_EQ(kernel_run("butterfly", 8, {{"bytes", "8"}, {"growth", "doubling"}}).cycles(),
              hop(1) + hop(2) + hop(4));
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "butterfly"}}), 12);
              }),
              "test.yaml:1:2: workload 'butterfly' takes a power of two of tasks, not 12; set 'tasks', "
              "or 'spare' to idle");
    EXPECT_EQ(kernel_run("butterfly", 12, {{"tasks", "8"}}).messages(), 24U);
    for (const std::uint32_t n : {8U, 9U, 12U, 15U}) {
        const kernel_run r("butterfly", n, {{"spare", "idle"}, {"bytes", "80"}, {"compute", "2e-9"}});
        EXPECT_EQ(r.messages(), 24U) << n;
        EXPECT_EQ(r.cycles(), 3 * (hop(10) + 2)) << n;
    }
}

/// The longest way of a wave-front goes along the last dimension first: there a message waits for those of
/// all others. One that is as wide as a task has none.
std::uint64_t front(const std::vector<std::uint64_t>& dims, std::uint64_t flits, std::uint64_t compute = 0) {
    std::uint64_t cycles = compute, behind = 0;
    for (const auto n : dims) {
        cycles += (n - 1) * (hop(flits, behind) + compute);
        behind += n > 1 ? 1 : 0;
    }
    return cycles;
}
TEST(Wavefront, GoesFromCornerToCorner) {
    const std::vector<std::vector<std::uint64_t>> sizes{{4, 4},    {8, 8},    {5, 3},    {1, 6},   {7, 1},
                                                        {2, 2, 2}, {4, 4, 4}, {3, 5, 2}, {3, 1, 4}};
    for (const auto& dims : sizes) {
        const kernel_run r("wavefront", product(dims), {{"bytes", "80"}, {"dims", words(dims)}});
        EXPECT_EQ(r.messages(), links(dims));
        EXPECT_EQ(r.bytes(), 80 * links(dims));
        EXPECT_EQ(r.cycles(), front(dims, 10)) << words(dims);
        const kernel_run back(
            "wavefront", product(dims),
            {{"bytes", "80"}, {"dims", words(dims)}, {"return", "true"}, {"compute", "4e-9"}});
        EXPECT_EQ(back.messages(), 2 * links(dims));
        EXPECT_EQ(back.cycles(), 2 * front(dims, 10, 4)) << words(dims);
    }
}

TEST(Wavefront, TakesTheMostEqualSizes) {
    EXPECT_EQ(kernel_run("wavefront", 32).messages(), links({8, 4}));
    EXPECT_EQ(kernel_run("wavefront", 24, {{"dimensions", "3"}}).messages(), links({4, 3, 2}));
    EXPECT_EQ(kernel_run("wavefront", 7).messages(), 6U);
    EXPECT_EQ(kernel_run("wavefront", 64, {{"dims", "4 3"}}).messages(), links({4, 3}));
    EXPECT_EQ(error_of([] {
                  config::value v = section({{"workload", "wavefront"}, {"tasks", "16"}});
                  v.set("dims", kernel_run::list("4 5"));
                  make_workload(v, 64);
              }),
              "test.yaml:1:2: 'dims' must be those of 16 tasks (their product); leave out 'tasks' or 'dims'");
    EXPECT_EQ(error_of([] {
                  config::value v = section({{"workload", "wavefront"}});
                  v.set("dims", kernel_run::list("65536 65536"));
                  make_workload(v, 64);
              }),
              "test.yaml:1:2: 'dims' make more than the 16777216 tasks at most");
}

/// A node sends the messages of a wave-front while the one before is on its way: what is sent in all of them
/// by one node comes on top of the last.
TEST(Waterfall, IsARunOfWavefronts) {
    const std::vector<std::vector<std::uint64_t>> sizes{{4, 4}, {8, 8}, {5, 3}, {1, 6}, {3, 3, 3}};
    for (const auto& dims : sizes) {
        const kernel_run r("waterfall", product(dims),
                           {{"bytes", "3200"}, {"messages", "40"}, {"dims", words(dims)}});
        const auto wide = static_cast<std::uint64_t>(
            std::count_if(dims.begin(), dims.end(), [](std::uint64_t n) { return n > 1; }));
        EXPECT_EQ(r.messages(), 40 * links(dims));
        EXPECT_EQ(r.bytes(), 3200 * links(dims));
        EXPECT_EQ(r.cycles(), 39 * wide * 10 + front(dims, 10)) << words(dims);
    }
    EXPECT_EQ(kernel_run("waterfall", 4, {{"bytes", "10"}, {"messages", "3"}}).bytes(), 40U);  // 4 + 3 + 3
}

TEST(MeshExchange, EndsWithTheTaskOfMostNeighbours) {
    const std::vector<std::vector<std::uint64_t>> sizes{{4, 4}, {8, 8}, {2, 3}, {1, 6}, {4, 3, 5}, {2, 2, 2}};
    for (const auto& dims : sizes)
        for (const bool torus : {false, true})
            for (const bool diagonals : {false, true}) {
                // Of all ways of a dimension together: staying, and going on.
                std::uint64_t all = 1, straight = 0, sum = 1, most = 1, most_straight = 0;
                for (const auto n : dims) {
                    const std::uint64_t both = std::min<std::uint64_t>(n - 1, 2);  // at most
                    const std::uint64_t going = torus ? n * both : 2 * (n - 1);    // of a row
                    sum *= n + going;
                    all *= n;
                    straight += product(dims) / n * going;
                    most *= 1 + both;
                    most_straight += both;
                }
                const std::uint64_t messages = diagonals ? sum - all : straight;
                const kernel_run r("mesh_exchange", product(dims),
                                   {{"bytes", "80"},
                                    {"dims", words(dims)},
                                    {"torus", torus ? "true" : "false"},
                                    {"diagonals", diagonals ? "true" : "false"},
                                    {"compute", "6e-9"}});
                EXPECT_EQ(r.messages(), messages) << words(dims) << torus << diagonals;
                EXPECT_EQ(r.bytes(), 80 * messages);
                EXPECT_EQ(r.cycles(), hop(10, (diagonals ? most - 1 : most_straight) - 1) + 6)
                    << words(dims) << torus << diagonals;
            }
}

TEST(DirectionExchange, GoesDirectionByDirection) {
    const std::vector<std::vector<std::uint64_t>> sizes{{4, 4}, {8, 8}, {3, 5}, {1, 6}, {4, 3, 5}};
    for (const auto& dims : sizes) {
        const auto wide = static_cast<std::uint64_t>(
            std::count_if(dims.begin(), dims.end(), [](std::uint64_t n) { return n > 1; }));
        for (const bool torus : {false, true}) {
            const kernel_run r("direction_exchange", product(dims),
                               {{"bytes", "80"}, {"dims", words(dims)}, {"torus", torus ? "true" : "false"}});
            std::uint64_t messages = 0;
            for (const auto n : dims)
                if (n > 1) messages += torus ? 2 * product(dims) : 2 * (n - 1) * product(dims) / n;
            EXPECT_EQ(r.messages(), messages);
            EXPECT_EQ(r.cycles(), 2 * wide * hop(10)) << words(dims) << torus;
        }
    }
}

/// When the last of some exchanges is over, each between two tasks; by task, its partners in order.
std::uint64_t exchanged(std::vector<std::deque<std::uint32_t>> partners) {
    std::vector<std::uint64_t> ready(partners.size()), free(partners.size());
    const auto arrival = [&](std::uint32_t from) {  // of what it sends when it is ready, and its node free
        const std::uint64_t start = std::max(ready[from], free[from]);
        free[from] = start + 10;
        return start + hop(10);
    };
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::uint32_t a = 0; a < partners.size(); ++a) {
            if (partners[a].empty() || partners[partners[a].front()].front() != a) continue;
            const std::uint32_t b = partners[a].front();
            const std::uint64_t to_b = arrival(a), to_a = arrival(b);
            ready[a] = std::max(ready[a], to_a);
            ready[b] = std::max(ready[b], to_b);
            partners[a].pop_front();
            partners[b].pop_front();
            goes_on = true;
        }
    }
    return *std::max_element(ready.begin(), ready.end());
}

TEST(RandomExchange, PairsAllTasksInEveryStage) {
    for (const std::uint32_t n : {1U, 2U, 9U, 16U, 100U}) {
        const kernel_run r("random_exchange", n, {{"bytes", "80"}, {"stages", "20"}, {"repetitions", "2"}});
        std::vector<std::deque<std::uint32_t>> partners(n);
        for (const auto& m : r.port.sent) {
            EXPECT_NE(m.source, m.destination);
            partners[m.source].push_back(m.destination);
        }
        const std::uint64_t alone = 40 * n - r.messages();
        EXPECT_LE(alone, 80U) << n;  // in a stage two at most
        if (n % 2 == 1) {
            EXPECT_EQ(alone, 40U);
        }
        EXPECT_EQ(r.cycles(), exchanged(partners)) << n;
    }
    const auto pairs = [](const char* seed) {
        const kernel_run r("random_exchange", 50, {{"stages", "8"}, {"seed", seed}});
        std::vector<std::uint32_t> all;
        for (const auto& m : r.port.sent) all.push_back(m.source * 50 + m.destination);
        return all;
    };
    EXPECT_EQ(pairs("1"), pairs("1"));
    EXPECT_NE(pairs("1"), pairs("2"));
}

/// When the last of some waves is over: a task begins to send all of a wave that are its own, and takes the
/// others.
std::uint64_t waved(std::uint32_t tasks, std::uint32_t stages, std::uint32_t wave) {
    std::vector<std::uint64_t> ready(tasks), free(tasks);
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
        rng random(1, stream::workload, stage);
        std::vector<std::uint64_t> next = ready;
        for (std::uint32_t k = 0; k < wave; ++k) {
            const std::uint32_t from = random.below(tasks), other = random.below(tasks - 1);
            const std::uint32_t to = other + (other >= from ? 1 : 0);
            const std::uint64_t start = std::max(ready[from], free[from]);
            free[from] = start + 10;
            next[to] = std::max(next[to], start + hop(10));
        }
        ready = next;
    }
    return *std::max_element(ready.begin(), ready.end());
}

TEST(RandomExchange, SendsAWaveThenTakesIt) {
    const auto run = [](std::uint32_t n, std::uint32_t stages, std::uint32_t wave) {
        return kernel_run(
            "random_exchange", n,
            {{"bytes", "80"}, {"stages", std::to_string(stages)}, {"wave", std::to_string(wave)}});
    };
    for (const std::uint32_t n : {2U, 9U, 16U})
        for (const std::uint32_t wave : {1U, 7U, 200U}) {
            const kernel_run r = run(n, 20, wave);
            EXPECT_EQ(r.messages(), 20 * wave);
            EXPECT_EQ(r.cycles(), waved(n, 20, wave)) << n << " tasks, waves of " << wave;
        }
    EXPECT_EQ(run(1, 20, 5).messages(), 0U);
    EXPECT_EQ(
        error_of([&] { run(2, 1000000, 1000000); }),
        "test.yaml:1:2: 'stages' times 'wave' is more than 100000000 messages; they are drawn in advance");
}

TEST(Incast, TakesOneMessageOfEach) {
    for (const std::uint32_t n : {2U, 5U, 16U, 100U}) {
        const kernel_run r("incast", n, {{"bytes", "80"}, {"compute", "5e-9"}, {"repetitions", "3"}});
        EXPECT_EQ(r.messages(), 3 * (n - 1));
        EXPECT_EQ(r.cycles(), std::max(hop(10, 2) + 5, hop(10) + 15));  // others send all at once
    }
}

/// More steps than are kept in memory at a time.
TEST(Collective, RunsOnManyTasks) {
    for (const std::uint32_t n : {2U, 64U, 256U, 257U, 600U}) {
        const kernel_run r("collective", n, {{"bytes", "80"}});
        EXPECT_EQ(r.messages(), std::uint64_t{n} * (n - 1));
        EXPECT_EQ(r.bytes(), std::uint64_t{n} * (n - 1) * 80);
        EXPECT_EQ(r.cycles(), (n - 1) * hop(10));
        std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (const auto& m : r.port.sent) pairs.insert({m.source, m.destination});
        EXPECT_EQ(pairs.size(), std::size_t{n} * (n - 1));
    }
    EXPECT_EQ(kernel_run("collective", 16, {{"operation", "allreduce"}, {"bytes", "80"}}).cycles(),
              4 * hop(10));
    EXPECT_EQ(kernel_run("collective", 16, {{"operation", "barrier"}}).cycles(), 4 * hop(1));
    for (const std::uint32_t n : {2U, 5U, 16U, 33U}) {
        const kernel_run r("collective", n,
                           {{"operation", "reduce_scatter"}, {"bytes", std::to_string(80 * n + 1)}});
        EXPECT_EQ(r.messages(), std::uint64_t{n} * (n - 1));
        EXPECT_EQ(r.bytes(), (80 * n + 1) * std::uint64_t{n - 1});
    }
    EXPECT_EQ(kernel_run("collective", 16, {{"operation", "reduce_scatter"}, {"bytes", "1280"}}).cycles(),
              15 * hop(10));
}

}  // namespace
}  // namespace sare::testing_support::kernel_test
