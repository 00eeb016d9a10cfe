// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

/// Means and how well they are known: Student's t, by Boost.Math.
namespace sare::cli {

/// A mean, and the standard error of it.
struct estimate {
    double mean = 0;
    double error = 0;    ///< of the mean; NaN: not known
    double freedom = 0;  ///< degrees of freedom of the error

    bool has_error() const { return error == error; }
    /// Half width of the confidence interval of the mean; NaN: not known.
    double half_width(double confidence = 0.95) const;
};

/// Of independent samples; without error where there are less than two.
estimate estimate_of(const std::vector<double>& samples);

/// What `b` is more than `a`, and the half width of the confidence interval of that: Welch's t test.
struct mean_difference {
    double by = 0;
    double half_width = 0;  ///< NaN: not known

    bool is_known() const { return half_width == half_width; }
    bool is_significant() const { return is_known() && (by < 0 ? -by : by) > half_width; }
};
mean_difference welch(const estimate& a, const estimate& b, double confidence);

}  // namespace sare::cli
