// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Fits laws of gaps (gap.h) to the gaps between messages of a recording.
namespace sare::traffic {

/// A law of gaps, with the parameters that maximise the likelihood of the gaps of a recording.
struct fitted_gaps {
    std::string name;     ///< name of the law: exponential, weibull or pareto
    std::string section;  ///< the law and its parameters as the value of the key `gaps` of a workload, such
                          ///< as "{name: exponential, mean: 100}"
    double distance = 0;  ///< largest difference between the distribution functions of the law and of the
                          ///< recording (Kolmogorov and Smirnov), 0 to 1
    double chance = 0;    ///< approximate probability that the same number of gaps, drawn by this law, has at
                          ///< least this distance
};

/// Returns the laws exponential, weibull and pareto, fitted to the gaps above 0, by ascending distance.
/// Leaves out pareto if its shape would be below 1.01; returns no fits for fewer than 2 such gaps, or if all
/// are equal. Parameters are in the unit of the gaps.
std::vector<fitted_gaps> fit_gaps(std::vector<double> gaps);

/// Returns the text of a file for the law `file`: lines 'gap weight' with gaps in whole cycles. The sorted
/// gaps are cut into `most` equal shares, each of which is a line with its rounded mean and number of gaps;
/// equal means make one line. `gaps`: in cycles.
std::string gap_weights(std::vector<double> gaps, std::size_t most = 200);

}  // namespace sare::traffic
