// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

/// Means and their confidence intervals: Student's t, by Boost.Math.
namespace sare::cli {

/// A mean and its standard error.
struct estimate {
    double mean = 0;
    double error = 0;    ///< standard error of the mean; NaN: unknown
    double freedom = 0;  ///< degrees of freedom of the error; of no meaning without one

    /// Returns true if the error is known.
    bool has_error() const { return error == error; }
    /// Returns the half width of the two-sided confidence interval of the mean; NaN if the error is unknown.
    /// `confidence`: probability in (0, 1).
    double half_width(double confidence = 0.95) const;
};

/// Returns the mean of independent samples with its error. One sample: the error is NaN; no sample: the mean
/// is NaN, too.
estimate estimate_of(const std::vector<double>& samples);

/// The difference `b` - `a` of two means, and the half width of its confidence interval: Welch's t test.
struct mean_difference {
    double by = 0;          ///< difference of the means
    double half_width = 0;  ///< half width of the confidence interval; NaN: unknown

    /// Returns true if the half width is known.
    bool is_known() const { return half_width == half_width; }
    /// Returns true if the interval is known and does not contain 0.
    bool is_significant() const { return is_known() && (by < 0 ? -by : by) > half_width; }
};
/// Returns the difference `b` - `a`; its half width is NaN if an error is unknown, 0 if both errors are 0.
/// `confidence`: probability in (0, 1).
mean_difference welch(const estimate& a, const estimate& b, double confidence);

}  // namespace sare::cli
