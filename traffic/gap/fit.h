// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// The fit of laws of gaps to a recording.
namespace sare::traffic {

/// A law of gaps with its maximum-likelihood parameters for a recording.
struct fitted_gaps {
    std::string name;     ///< one of exponential, weibull and pareto
    std::string section;  ///< text for the key `gaps` of a workload
    double distance = 0;  ///< largest difference of the distribution functions (Kolmogorov and Smirnov)
    double chance = 0;    ///< probability that gaps drawn by this law have such a distance or a larger one
};

/// Returns the fits of gaps above 0, the nearest law first; laws that cannot be fitted are left out.
std::vector<fitted_gaps> fit_gaps(std::vector<double> gaps);

/// Returns the text of a file with at most `most` lines 'gap weight', gaps in whole cycles: the sorted gaps
/// are cut into `most` equal shares, each of which is a line with its mean; equal means make one line.
std::string gap_weights(std::vector<double> gaps, std::size_t most = 200);

}  // namespace sare::traffic
