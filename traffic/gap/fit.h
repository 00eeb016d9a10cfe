// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// The fit of laws of gaps to a recording.
namespace sare::traffic {

/// A law, with the parameters under which the gaps are the most likely.
struct fitted_gaps {
    std::string name;     ///< one of exponential, weibull and pareto
    std::string section;  ///< section `gaps` of a workload
    double distance = 0;  ///< largest difference of the distributions (Kolmogorov and Smirnov)
    double chance = 0;    ///< probability that gaps of just this law are as far from it
};

/// Returns the fits of gaps above 0, the nearest law first; laws that cannot be fitted are left out.
std::vector<fitted_gaps> fit_gaps(std::vector<double> gaps);

/// Returns a file of at most `most` lines 'gap weight' in whole cycles: means of equal shares of the gaps.
std::string gap_weights(std::vector<double> gaps, std::size_t most = 200);

}  // namespace sare::traffic
