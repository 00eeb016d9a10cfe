// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/thread_trial.h"

#include <gtest/gtest.h>

#include <functional>

namespace sare::thread_trial_test {
namespace {

constexpr std::uint32_t cycles = 2 * thread_trial::pairs * thread_trial::stretch;  ///< of a trial

/// Seconds of a cycle, by its number and whether all threads run it.
using law = std::function<double(std::uint32_t cycle, bool all)>;

/// Runs a trial; gives the cycles that all have run.
std::uint32_t run(thread_trial& trial, const law& seconds) {
    std::uint32_t by_all = 0;
    for (std::uint32_t t = 0; t < cycles; ++t) {
        EXPECT_TRUE(trial.times_cycle());
        by_all += trial.all() ? 1 : 0;
        trial.add(seconds(t, trial.all()));
    }
    return by_all;
}

TEST(ThreadTrial, IsNotMadeUnlessAskedFor) {
    thread_trial trial;
    EXPECT_FALSE(trial.times_cycle());
    EXPECT_TRUE(trial.all());
    EXPECT_FALSE(trial.one_does());
}

TEST(ThreadTrial, KeepsThreadsThatPay) {
    thread_trial trial(1.6);
    EXPECT_EQ(run(trial, [](std::uint32_t, bool all) { return all ? 5e-4 : 1e-3; }), cycles / 2);
    EXPECT_DOUBLE_EQ(trial.gain(), 2);
    EXPECT_TRUE(trial.all());
    EXPECT_FALSE(trial.one_does());
    EXPECT_FALSE(trial.times_cycle());
}

TEST(ThreadTrial, KeepsOneThreadWhereMoreDoNotPay) {
    thread_trial trial(1.6);
    run(trial, [](std::uint32_t, bool all) { return all ? 1 / 1.3 : 1; });
    EXPECT_NEAR(trial.gain(), 1.3, 1e-9);
    EXPECT_FALSE(trial.all());
    EXPECT_TRUE(trial.one_does());
}

/// Something else has the processor for a while, in one pair of stretches and in another.
TEST(ThreadTrial, IsNotDecidedByABusyMoment) {
    thread_trial trial(1.6);
    run(trial,
        [](std::uint32_t t, bool all) { return (t == 20 || t == 90 ? 1.0 : 0.0) + (all ? 5e-4 : 1e-3); });
    EXPECT_DOUBLE_EQ(trial.gain(), 2);
}

/// A network that fills: each cycle takes longer than the one before.
TEST(ThreadTrial, IsNotBiasedByAGrowingLoad) {
    thread_trial trial(1.6);
    run(trial, [](std::uint32_t t, bool) { return 1 + 0.05 * t; });
    EXPECT_NEAR(trial.gain(), 1, 0.15);
}

TEST(ThreadTrial, IsMadeAgainLater) {
    thread_trial trial(1.6);
    run(trial, [](std::uint32_t, bool) { return 1; });
    EXPECT_TRUE(trial.one_does());
    for (std::uint32_t t = 1; t < thread_trial::holds; ++t) ASSERT_FALSE(trial.times_cycle());
    EXPECT_EQ(run(trial, [](std::uint32_t, bool all) { return all ? 5e-4 : 1e-3; }), cycles / 2);
    EXPECT_TRUE(trial.all());
    EXPECT_FALSE(trial.one_does());
}

}  // namespace
}  // namespace sare::thread_trial_test
