// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/estimate.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <numeric>

namespace sare::cli {
namespace {

/// Returns the half width of a two-sided interval, in standard errors.
double standard_errors(double freedom, double confidence) {
    // Not by long double, whose tables are made at start-up: valgrind has it with 64 bits, in which they
    // overflow.
    using in_double = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
    const boost::math::students_t_distribution<double, in_double> t(freedom);
    return boost::math::quantile(boost::math::complement(t, (1 - confidence) / 2));
}

double width_of(double error, double freedom, double confidence) {
    if (!std::isfinite(error)) return NAN;
    return error == 0 ? 0 : error * standard_errors(freedom, confidence);
}

}  // namespace

double estimate::half_width(double confidence) const {
    return width_of(error, freedom, confidence);
}

estimate estimate_of(const std::vector<double>& samples) {
    const auto n = static_cast<double>(samples.size());
    estimate e{std::accumulate(samples.begin(), samples.end(), 0.0) / n, NAN, n - 1};
    if (samples.size() < 2) return e;
    double squares = 0;
    for (const double x : samples) squares += (x - e.mean) * (x - e.mean);
    e.error = std::sqrt(squares / (n - 1) / n);
    return e;
}

mean_difference welch(const estimate& a, const estimate& b, double confidence) {
    const double va = a.error * a.error, vb = b.error * b.error;
    // Welch and Satterthwaite.
    const double freedom = (va + vb) * (va + vb) / (va * va / a.freedom + vb * vb / b.freedom);
    return {b.mean - a.mean, width_of(std::sqrt(va + vb), freedom, confidence)};
}

}  // namespace sare::cli
