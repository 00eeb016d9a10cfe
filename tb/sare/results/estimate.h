// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

/// Means and their confidence intervals: Student's t, by Boost.Math.
namespace sare::cli {

/// A mean and its standard error.
struct estimate {
    double mean = 0;
    double error = 0;    ///< standard error of the mean; NaN: unknown
    double freedom = 0;  ///< degrees of freedom of the error

    bool has_error() const { return error == error; }
    /// Half width of the two-sided confidence interval of the mean; NaN: unknown.
    double half_width(double confidence = 0.95) const;
};

/// Returns the mean of independent samples with its error; with error NaN if there is one sample, and with
/// mean NaN, too, if there is none.
estimate estimate_of(const std::vector<double>& samples);

/// The difference `b` - `a` of two means, and the half width of its confidence interval: Welch's t test.
struct mean_difference {
    double by = 0;          ///< difference of the means
    double half_width = 0;  ///< NaN: unknown

    bool is_known() const { return half_width == half_width; }
    bool is_significant() const { return is_known() && (by < 0 ? -by : by) > half_width; }
};
mean_difference welch(const estimate& a, const estimate& b, double confidence);

}  // namespace sare::cli
