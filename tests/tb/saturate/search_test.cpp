// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/// The search for saturation, against a network that is a formula.
namespace sare::cli::saturation_search_test {
namespace {

using verdict = saturation_sample::verdict;

/// Saturates at a load known beforehand; latency 20 / (1 - load / saturation).
struct fake_network {
    double saturation;
    double vague = 0;           ///< so near, relatively, a run of length 1 is unsettled
    double other_seed = 0;      ///< saturation by the other seed; 0: the same
    std::uint32_t settles = 4;  ///< at this length

    saturation_sample run(const saturation_probe& p) const {
        const double at = p.seed == 1 && other_seed > 0 ? other_seed : saturation;
        const double latency = 20 / std::max(1 - p.load / at, 1e-3);
        if (std::fabs(p.load / at - 1) < vague && p.length < settles) return {p, verdict::unsettled, latency};
        return {p, p.load <= at ? verdict::sustained : verdict::saturated, latency};
    }
};

saturation_search searched(const saturation_goal& goal, const fake_network& net) {
    saturation_search s(goal);
    while (const auto p = s.next()) s.add(net.run(*p));
    EXPECT_LE(s.samples().size(), goal.most_runs);
    return s;
}

saturation_goal goal_of(double limit, double tolerance = 0.01) {
    saturation_goal g;
    g.limit = limit;
    g.tolerance = tolerance;
    return g;
}

TEST(SaturationSearch, FindsTheLoadWithinItsToleranceIn12Runs) {
    for (const double saturation : {0.2, 0.25, 0.31, 0.4219, 0.5, 0.66, 0.83, 0.99})
        for (const double tolerance : {0.05, 0.01}) {
            const auto s = searched(goal_of(1, tolerance), {saturation});
            const load_bracket b = s.saturation();
            EXPECT_LE(b.low, saturation);
            EXPECT_GE(b.high, saturation);
            EXPECT_TRUE(s.within_tolerance()) << saturation;
            EXPECT_LE(b.high - b.low, tolerance * b.high * 1.000001) << saturation;
            EXPECT_TRUE(s.disputed().empty());
        }
    const auto repeated = searched(goal_of(1), {0.66});
    EXPECT_TRUE(repeated.low_confirmed());
    EXPECT_TRUE(repeated.high_confirmed());
}

TEST(SaturationSearch, NeverLooksAboveItsLimit) {
    const auto s = searched(goal_of(0.5), {0.7});
    for (const auto& one : s.samples()) EXPECT_LE(one.probe.load, 0.5);
    EXPECT_EQ(s.saturation().high, 0.5);
    EXPECT_GE(s.saturation().low, 0.495);
    EXPECT_TRUE(s.low_confirmed());
}

TEST(SaturationSearch, WithoutALimitTriesUpToALoadOf1) {
    const auto found = searched(goal_of(0), {0.43});
    EXPECT_TRUE(found.within_tolerance());
    const auto never = searched(goal_of(0), {2});
    EXPECT_EQ(never.saturation().high, 0);
    EXPECT_EQ(never.saturation().low, 1);
    EXPECT_FALSE(never.within_tolerance());
}

TEST(SaturationSearch, RunsLongerWhatIsUnsettled) {
    const auto s = searched(goal_of(1), {0.6, 0.02});
    EXPECT_TRUE(s.within_tolerance());
    EXPECT_LE(s.saturation().low, 0.6);
    EXPECT_GE(s.saturation().high, 0.6);
    EXPECT_TRUE(std::any_of(s.samples().begin(), s.samples().end(),
                            [](const auto& one) { return one.probe.length == 4; }));
}

/// What no length settles is no end of the bracket.
TEST(SaturationSearch, NeverTakesUnsettledForSaturated) {
    fake_network net{0.6, 0.05};
    net.settles = 1000;
    const auto s = searched(goal_of(1), net);
    EXPECT_LE(s.saturation().low, 0.6 * 0.95);
    EXPECT_GE(s.saturation().high, 0.6 * 1.05);
    EXPECT_FALSE(s.within_tolerance());
}

TEST(SaturationSearch, SaysWhereSeedsDisagree) {
    const auto s = searched(goal_of(1, 0.05), {0.6, 0.2, 0.55});  // runs near 0.6 are as long as the repeats
    ASSERT_FALSE(s.disputed().empty());
    EXPECT_LE(s.saturation().low, 0.6);
    for (const double load : s.disputed()) {
        EXPECT_GT(load, s.saturation().low);
        EXPECT_LT(load, s.saturation().high);
    }
    EXPECT_FALSE(s.within_tolerance());
}

TEST(SaturationSearch, BelievesTheLongerRun) {
    const auto s = searched(goal_of(1, 0.05), {0.6, 0, 0.58});  // repeats are longer
    EXPECT_TRUE(s.disputed().empty());
    EXPECT_LE(s.saturation().low, 0.58);
    EXPECT_GE(s.saturation().high, 0.58);
    EXPECT_TRUE(s.within_tolerance());
    EXPECT_TRUE(s.low_confirmed());
}

TEST(SaturationSearch, FindsWhereTheLatencyHasDoubled) {
    saturation_goal goal = goal_of(1, 0.05);
    const auto s = searched(goal, {0.8});
    ASSERT_TRUE(s.slow().has_value());
    const double zero_load = s.zero_load_latency();
    EXPECT_NEAR(zero_load, 20 / (1 - 0.01 / 0.8), 1e-9);
    const double truth = 0.8 * (1 - 20 / (2 * zero_load));
    EXPECT_NEAR(s.slow_load(), truth, 0.01 * truth);
    // A network whose latency does not double before it saturates.
    saturation_search flat(goal);
    while (const auto p = flat.next())
        flat.add({*p, p->load <= 0.5 ? verdict::sustained : verdict::saturated, 20 + p->load});
    EXPECT_FALSE(flat.slow().has_value());
}

TEST(SaturationSearch, IsTheSameWhenItsRunsAreGivenAgain) {
    const fake_network net{0.37, 0.03};
    const auto once = searched(goal_of(0.9), net);
    saturation_search again(goal_of(0.9));
    for (const auto& s : once.samples()) {
        const auto p = again.next();
        ASSERT_TRUE(p.has_value());
        EXPECT_EQ(p->load, s.probe.load);
        EXPECT_EQ(p->length, s.probe.length);
        again.add(s);
    }
    EXPECT_FALSE(again.next().has_value());
}

}  // namespace
}  // namespace sare::cli::saturation_search_test
