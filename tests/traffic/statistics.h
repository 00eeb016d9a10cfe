// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

/// Goodness of fit at a fixed seed.
namespace sare::testing_support {

/// Chi-square of counts against what a law expects of them, at the level of one in a thousand (bound by
/// Wilson and Hilferty). Neighbouring classes are put together until 5 are expected.
inline void expect_chi_square(const std::vector<double>& seen, const std::vector<double>& expected) {
    ASSERT_EQ(seen.size(), expected.size());
    double chi = 0, classes = 0, s = 0, e = 0, all_seen = 0, all_expected = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        all_seen += seen[i];
        all_expected += expected[i];
        if (expected[i] == 0) {
            EXPECT_EQ(seen[i], 0) << "class " << i;
        }
        s += seen[i];
        e += expected[i];
        if (e < 5) continue;
        chi += (s - e) * (s - e) / e;
        classes += 1;
        s = e = 0;
    }
    ASSERT_NEAR(all_seen, all_expected, 1e-6 * all_expected);
    ASSERT_GT(classes, 1);
    const double freedom = classes - 1, z = 3.09;
    const double root = 1 - 2 / (9 * freedom) + z * std::sqrt(2 / (9 * freedom));
    EXPECT_LT(chi, freedom * root * root * root) << freedom << " degrees of freedom";
}

/// Counts of whole numbers from 0 on, the last class for all from there on, against a law's probabilities of
/// 0, 1, ...
template <class Law>
void expect_whole_numbers(const std::vector<std::uint64_t>& drawn, std::size_t classes, Law probability) {
    std::vector<double> seen(classes, 0.0), expected(classes, 0.0);
    for (const auto k : drawn) seen[std::min<std::size_t>(k, classes - 1)] += 1;
    double left = 1;
    for (std::size_t k = 0; k + 1 < classes; ++k) {
        const double p = probability(static_cast<double>(k));
        expected[k] = p * static_cast<double>(drawn.size());
        left -= p;
    }
    expected[classes - 1] = left * static_cast<double>(drawn.size());
    expect_chi_square(seen, expected);
}

}  // namespace sare::testing_support
