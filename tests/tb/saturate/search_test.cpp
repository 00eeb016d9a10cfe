// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

/// The search for saturation, against a network that is a formula.
namespace sare::cli::saturation_search_test {
namespace {

using verdict = saturation_sample::verdict;

/// Saturates at a load known beforehand; latency 20 / (1 - load / saturation).
struct fake_network {
    double saturation;
    double vague = 0;           ///< so near, relatively, a run of length 1 is unsettled
    std::uint32_t settles = 4;  ///< at this length
    double spread = 0;          ///< relative, of the longest runs' verdicts
    double shift = 0;           ///< relative, of the threshold of runs of length 1
    std::mt19937 random{1};

    saturation_sample run(const saturation_probe& p) {
        const double latency = 20 / std::max(1 - p.load / saturation, 1e-3);
        if (std::fabs(p.load / saturation - 1) < vague && p.length < settles)
            return {p, verdict::unsettled, latency};
        const double shorter = std::sqrt(16.0 / p.length), at = saturation * (1 + shift * (shorter - 1) / 3);
        const double x = (at / p.load - 1) / (spread * shorter);
        const bool keeps_up =
            spread == 0 ? p.load <= at : std::uniform_real_distribution<>()(random) < 1 / (1 + std::exp(-x));
        return {p, keeps_up ? verdict::sustained : verdict::saturated, latency};
    }
};

saturation_search searched(const saturation_goal& goal, fake_network net) {
    saturation_search s(goal);
    while (const auto p = s.next()) s.add(net.run(*p));
    EXPECT_LE(s.samples().size(), goal.most_runs);
    return s;
}

saturation_goal goal_of(double limit, double tolerance = 0.02) {
    saturation_goal g;
    g.limit = limit;
    g.tolerance = tolerance;
    return g;
}

TEST(SaturationSearch, FindsTheLoadWithinItsTolerance) {
    for (const double saturation : {0.02, 0.2, 0.31, 0.4219, 0.5, 0.83, 0.99})
        for (const double tolerance : {0.05, 0.02}) {
            const auto s = searched(goal_of(1, tolerance), {saturation});
            const load_bracket b = s.saturation();
            EXPECT_TRUE(s.found()) << saturation;
            EXPECT_LE(b.low, saturation * 1.001);
            EXPECT_GE(b.high, saturation * 0.999);
            EXPECT_LE(b.width(), tolerance) << saturation;
            EXPECT_NEAR(s.load(), saturation, tolerance * saturation);
            EXPECT_TRUE(s.unsettled().empty());
        }
}

TEST(SaturationSearch, HasTwoSeedsBehindAHeadline) {
    const auto s = searched(goal_of(1), {0.66});
    EXPECT_TRUE(s.found());
    EXPECT_GE(s.seeds_below(), 2u);
    EXPECT_GE(s.seeds_above(), 2u);
    saturation_goal one_seed = goal_of(1);
    one_seed.other_seeds = false;
    EXPECT_FALSE(searched(one_seed, {0.66}).found());
}

TEST(SaturationSearch, NeverLooksAboveItsLimit) {
    const auto s = searched(goal_of(0.5), {0.7});
    for (const auto& one : s.samples()) EXPECT_LE(one.probe.load, 0.5);
    EXPECT_TRUE(s.found());
    EXPECT_TRUE(s.limit_is_upper_end());
    EXPECT_LE(s.saturation().high, 0.5);
    EXPECT_GE(s.saturation().low, 0.49);
    EXPECT_GE(s.seeds_below(), 2u);
}

TEST(SaturationSearch, TriesUpToALoadOf1WithoutALimit) {
    const auto found = searched(goal_of(0), {0.43});
    EXPECT_TRUE(found.found());
    EXPECT_NEAR(found.load(), 0.43, 0.01);
    const auto never = searched(goal_of(0), {2});
    EXPECT_TRUE(never.never_saturates());
    EXPECT_EQ(never.saturation().high, 0);
    EXPECT_FALSE(never.found());
    EXPECT_LT(never.samples().size(), 8u);
}

TEST(SaturationSearch, RepeatsUnsettledRunsForLonger) {
    const auto s = searched(goal_of(1), {0.6, 0.02});
    EXPECT_TRUE(s.found());
    EXPECT_NEAR(s.load(), 0.6, 0.012);
}

/// What no length settles is no end of the bracket.
TEST(SaturationSearch, NeverTakesUnsettledForSaturated) {
    const auto s = searched(goal_of(1), {0.6, 0.05, 1000});
    EXPECT_LE(s.saturation().low, 0.6 * 0.96);
    EXPECT_GE(s.saturation().high, 0.6 * 1.04);
    EXPECT_FALSE(s.unsettled().empty());
    EXPECT_FALSE(s.found());
}

/// One verdict that is wrong, at any time, costs some runs and no more.
TEST(SaturationSearch, IsNotThrownBackByARunThatContradicts) {
    for (std::size_t wrong = 1; wrong < 28; ++wrong) {
        saturation_search s(goal_of(1));
        fake_network net{wrong < 14 ? 0.62 : 0.05};
        while (const auto p = s.next()) {
            saturation_sample x = net.run(*p);
            if (s.samples().size() == 1 + wrong % 14)
                x.said = x.said == verdict::sustained ? verdict::saturated : verdict::sustained;
            s.add(x);
        }
        EXPECT_NEAR(s.load(), net.saturation, 0.02 * net.saturation) << wrong;
        if (s.found()) {
            EXPECT_LE(s.saturation().width(), widest_bracket) << wrong;
        }
    }
}

/// However often they are repeated: their threshold may be up to 5% higher than that of long ones.
TEST(SaturationSearch, DoesNotTakeShortRunsForLongOnes) {
    const auto low_end = [](std::uint32_t length) {
        threshold_belief belief(1);
        for (int k = 0; k < 8; ++k) {
            belief.add({{0.50, 0, length}, verdict::sustained, 20});
            belief.add({{0.51, 0, length}, verdict::saturated, 0});
        }
        return belief.quantile(0.05);
    };
    EXPECT_LT(low_end(1), 0.49);
    EXPECT_GT(low_end(16), 0.499);
}

/// Verdicts by chance, and short runs that look better than long ones.
TEST(SaturationSearch, IsRightOrSaysThatItIsNotWhereVerdictsAreByChance) {
    std::mt19937 random(3);
    const auto draw = [&](double from, double to) {
        return std::uniform_real_distribution<>(from, to)(random);
    };
    int found = 0, within_2 = 0, within_bracket = 0;
    constexpr int all = 60;
    for (int k = 0; k < all; ++k) {
        fake_network net{draw(0.1, 0.98)};
        net.vague = draw(0, 0.03);
        net.spread = draw(0.0005, 0.01);
        net.shift = k % 2 == 0 ? 0 : draw(0, 0.05);
        net.random.seed(static_cast<std::uint32_t>(k));
        const auto s = searched(goal_of(1), net);
        if (!s.found()) continue;
        ++found;
        EXPECT_NEAR(s.load(), net.saturation, 0.05 * net.saturation) << k;
        within_2 += std::fabs(s.load() / net.saturation - 1) < 0.02 ? 1 : 0;
        within_bracket +=
            s.saturation().low <= net.saturation && s.saturation().high >= net.saturation ? 1 : 0;
    }
    EXPECT_GE(found, 0.8 * all);
    EXPECT_GE(within_2, 0.95 * found);
    EXPECT_GE(within_bracket, 0.8 * found);
}

TEST(SaturationSearch, FindsWhereTheLatencyHasDoubled) {
    const saturation_goal goal = goal_of(1, 0.05);
    const auto s = searched(goal, {0.8});
    ASSERT_TRUE(s.slow().has_value());
    EXPECT_LE(s.slow()->width(), 0.05);
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

/// So a search that was killed goes on, and one with more runs than before.
TEST(SaturationSearch, AsksForTheSameRunsWhenItIsGivenTheirResults) {
    saturation_goal few = goal_of(0.9);
    few.most_runs = 6;
    for (const saturation_goal& goal : {goal_of(0.9), few}) {
        const auto once = searched(goal, {0.37, 0.03});
        saturation_search again(goal_of(0.9));
        for (const auto& s : once.samples()) {
            const auto p = again.next();
            ASSERT_TRUE(p.has_value());
            EXPECT_EQ(p->load, s.probe.load);
            EXPECT_EQ(p->length, s.probe.length);
            EXPECT_EQ(p->seed, s.probe.seed);
            again.add(s);
        }
        EXPECT_EQ(again.next().has_value(), goal.most_runs == 6);
    }
}

}  // namespace
}  // namespace sare::cli::saturation_search_test
