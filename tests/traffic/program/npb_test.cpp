// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/kernel_run.h"

#include <cmath>

/// Skeletons of the NAS Parallel Benchmarks: messages, bytes and time by their closed forms.
namespace sare::testing_support::npb_test {
namespace {

TEST(NpbEp, ComputesItsPartAndReduces) {
    for (const std::uint32_t tasks : {64U, 256U}) {
        const kernel_run r("npb_ep", tasks, {{"size", "S"}, {"flops_per_second", "128e9"}});
        const std::uint64_t rounds = stages(tasks);
        EXPECT_EQ(r.messages(), 4 * tasks * rounds) << tasks;
        EXPECT_EQ(r.bytes(), (8 + 8 + 80 + 8) * tasks * rounds) << tasks;
        EXPECT_EQ(r.cycles(), (1U << 25) / tasks / 128 + rounds * (3 * hop(1) + hop(10))) << tasks;
    }
}

/// Sides of a box of `width` points, in words: without, with one, with both of the other ghosts.
std::vector<std::uint64_t> sides(std::uint64_t width) {
    return {width * width, (width + 2) * width, (width + 2) * (width + 2)};
}

/// 32 points a side, 2x2x2 tasks: all of them have points on every level.
TEST(NpbMg, ExchangesItsBordersLevelByLevel) {
    constexpr std::uint64_t tasks = 8, cycles = 4, levels = 5;
    std::uint64_t borders = 0, words = 0, time = 0;
    for (std::uint64_t level = 1; level <= levels; ++level) {
        const std::uint64_t times = cycles * (level == 1 ? 2 : 3) + (level == levels ? 1 : 0);
        borders += times;
        for (const std::uint64_t side : sides((1U << level) / 2)) {
            words += times * 2 * side;
            time += times * hop(side, 1);
        }
    }
    const std::uint64_t norms = 4 * stages(tasks);
    const kernel_run r("npb_mg", tasks, {{"size", "S"}});
    EXPECT_EQ(r.messages(), tasks * (6 * borders + norms));
    EXPECT_EQ(r.bytes(), 8 * tasks * (words + norms));
    // 58 operations a point and cycle, and one residual before: what loops do, at a point of the finest
    // level.
    double loops = 15;
    for (std::uint64_t level = 1; level <= levels; ++level) {
        const double points = std::pow(8.0, static_cast<double>(level) - levels);
        loops += points * (level == 1 ? 16 : 15 + 16 + (24 + 20) / 8.0);
    }
    const double operations = 58 * 32768.0 * (cycles + 15 / loops);
    EXPECT_NEAR(static_cast<double>(r.cycles()),
                operations / tasks + static_cast<double>(time + norms * hop(1)), 0.01 * operations / tasks);
}

/// 4x4x4 tasks: on the coarsest level, 2 points a side, one in eight has a point; then the others join in.
TEST(NpbMg, UsesFewTasksOnCoarseLevels) {
    constexpr std::uint64_t tasks = 64, cycles = 4;
    const settings fast{{"size", "S"}, {"flops_per_second", "1e12"}};
    const std::uint64_t fine = 6 * tasks * (1 + cycles * 12), coarse = cycles * 2 * 6 * 8,
                        expand = cycles * 3 * 2 * tasks / 2, norms = tasks * 4 * stages(tasks);
    EXPECT_EQ(kernel_run("npb_mg", tasks, fast).messages(), fine + coarse + expand + norms);
    // Axes of one task exchange nothing.
    EXPECT_EQ(kernel_run("npb_mg", 1, fast).messages(), 0U);
    EXPECT_EQ(kernel_run("npb_mg", 2, fast).messages(), 2 * (2 * (1 + cycles * 14) + 4U));
}

TEST(NpbMg, RefusesTasksThatHaveNoPoints) {
    const auto refusal = [](std::uint32_t nodes) {
        return error_of([=] { make_workload(section({{"workload", "npb_mg"}, {"size", "S"}}), nodes); });
    };
    EXPECT_EQ(refusal(6), "test.yaml:1:2: 'npb_mg' runs on a power of two of tasks, and there are 6");
    EXPECT_EQ(refusal(65536),
              "test.yaml:1:2: 'npb_mg' has no point for each of 65536 tasks; take a larger 'size'");
}

}  // namespace
}  // namespace sare::testing_support::npb_test
