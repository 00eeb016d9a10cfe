// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/source/task_trees.h"
#include "traffic/tasks/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/// Trees of tasks, and the laws that draw them.
namespace sare::testing_support::task_tree_test {
namespace {

using traffic::job_tree;
using settings = settings_of_tasks;

TEST(TaskTree, CountsTheVerticesOfItsLevels) {
    struct {
        std::vector<std::uint32_t> z;
        std::uint32_t vertices, leaves, delegating, depth;
    } const all[] = {{{}, 1, 1, 0, 1},         {{2}, 3, 2, 1, 2},   {{4, 3}, 17, 12, 5, 3},
                     {{1, 1}, 3, 1, 0, 3},     {{7}, 8, 7, 1, 2},   {{3, 1, 2}, 13, 6, 4, 4},
                     {{2, 2, 2}, 15, 8, 7, 4}, {{1, 5}, 7, 5, 1, 3}};
    rng none;
    for (const auto& a : all) {
        const auto tree = traffic::tree_registry::instance().make(regular(a.z), "")->next(none);
        EXPECT_EQ(tree->vertices(), a.vertices);
        EXPECT_EQ(tree->leaves(), a.leaves);
        EXPECT_EQ(tree->delegating(), a.delegating);
        EXPECT_EQ(tree->depth(), a.depth);
    }
}

TEST(TaskTree, FindsChildrenByTheirParents) {
    const job_tree tree({0, 0, 1, 0, 3});  // 1, 2 and 4 at the root; 3 at 1, 5 at 3
    ASSERT_EQ(tree.children(0), 3U);
    EXPECT_EQ(tree.child(0, 0), 1U);
    EXPECT_EQ(tree.child(0, 1), 2U);
    EXPECT_EQ(tree.child(0, 2), 4U);
    EXPECT_EQ(tree.child(1, 0), 3U);
    EXPECT_EQ(tree.child(3, 0), 5U);
    EXPECT_EQ(tree.children(5), 0U);
    EXPECT_EQ(tree.leaves(), 3U);
    EXPECT_EQ(tree.delegating(), 1U);
    EXPECT_EQ(tree.depth(), 4U);
}

/// Of four vertices, the third goes to either of two of degree 1, and the fourth, if the root has degree 2
/// then, to the root with 4^s of 4^s + 2 * 2^s.
TEST(TaskTree, GrowsByPreferentialAttachment) {
    for (const double s : {-1.0, 0.0, 1.0, 2.0}) {
        const auto law = traffic::tree_registry::instance().make(random_tree(4, s), "");
        rng random(7, stream::test, 0);
        int stars = 0, chains = 0;
        constexpr int draws = 40000;
        for (int i = 0; i < draws; ++i) {
            const auto tree = law->next(random);
            ASSERT_EQ(tree->vertices(), 4U);
            if (tree->depth() == 2) ++stars;
            if (tree->depth() == 4) ++chains;
        }
        const double middle = std::pow(4, s), end = std::pow(2, s);
        const double star = 0.5 * middle / (middle + 2 * end), chain = 0.5 * end / (middle + 2 * end);
        EXPECT_NEAR(stars / double{draws}, star, 4 * std::sqrt(star / draws)) << s;
        EXPECT_NEAR(chains / double{draws}, chain, 4 * std::sqrt(chain / draws)) << s;
    }
}

TEST(TaskTree, BecomesAStarOrAChainByItsExponent) {
    rng random(7, stream::test, 0);
    const auto depth = [&](double s) {
        return traffic::tree_registry::instance().make(random_tree(1000, s), "")->next(random)->depth();
    };
    EXPECT_LE(depth(8), 6U);
    EXPECT_GE(depth(0), 10U);  // about e ln n
    EXPECT_LE(depth(0), 40U);
    EXPECT_GE(depth(-16), 100U);
}

/// Of z = [4, 3]: in the mean 1 + 4 + 12 tasks, whatever the law. The root's children of uniform law have the
/// variance 64/12 and that of rounding up or down by chance, 1/6 in the mean.
TEST(TaskTree, HasTheMeanNumberOfSubtasks) {
    for (const settings& law : {wide_law, settings{{"name", "exponential"}}, settings{{"name", "fixed"}}}) {
        config::value z = regular({4, 3});
        z.set("z_law", law_of(law));
        const auto trees = traffic::tree_registry::instance().make(z, "");
        rng random(5, stream::test, 0);
        double tasks = 0, children = 0, squares = 0;
        constexpr int draws = 20000;
        for (int i = 0; i < draws; ++i) {
            const auto tree = trees->next(random);
            tasks += tree->vertices();
            children += tree->children(0);
            squares += std::pow(tree->children(0) - 4.0, 2);
            ASSERT_LE(tree->depth(), 3U);
        }
        EXPECT_NEAR(children / draws, 4, 0.15);
        EXPECT_NEAR(tasks / draws, 17, 0.6);
        if (law == wide_law) {
            EXPECT_NEAR(squares / draws, 64.0 / 12 + 1.0 / 6, 0.2);
        }
    }
}

TEST(TaskTree, HasTheMeanNumberOfTasks) {
    for (const settings& law : {wide_law, settings{{"name", "weibull"}, {"shape", "0.8"}}}) {
        config::value section = random_tree(12, 1);
        section.set("n_law", law_of(law));
        const auto trees = traffic::tree_registry::instance().make(section, "");
        rng random(6, stream::test, 0);
        double tasks = 0;
        std::uint32_t most = 0;
        for (int i = 0; i < 20000; ++i) {
            const std::uint32_t n = trees->next(random)->vertices();
            ASSERT_GE(n, 1U);
            tasks += n;
            most = std::max(most, n);
        }
        EXPECT_NEAR(tasks / 20000, 12, 0.4);
        EXPECT_GE(most, 23U);  // 1 + 2 * 11 by the uniform law
    }
}

}  // namespace
}  // namespace sare::testing_support::task_tree_test
