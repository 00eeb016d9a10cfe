// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Which law of gaps a recording follows.
namespace sare::traffic {

/// A law with the parameters under which the gaps are the most likely.
struct fitted_gaps {
    std::string name;     ///< exponential, weibull or pareto
    std::string section;  ///< as a workload's `gaps` has it
    double distance = 0;  ///< Kolmogorov and Smirnov's: the most by which the distributions differ
    double chance = 0;    ///< that gaps of this law are as far from it; the law's parameters taken as given
};

/// Of gaps above 0, which are sorted; the nearest law first. Those that cannot be fitted are left out.
std::vector<fitted_gaps> fit_gaps(std::vector<double> gaps);

/// A file of at most `most` lines 'gap weight' in whole cycles: equal shares of the gaps, each at its mean.
std::string gap_weights(std::vector<double> gaps, std::size_t most = 200);

}  // namespace sare::traffic
