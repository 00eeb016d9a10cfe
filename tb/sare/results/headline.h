// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/estimate.h"
#include "tb/sare/results/result_set.h"

#include <string>
#include <vector>

/// Figures by which a run is judged, each with its error: over seeds, or from the batches of a run.
namespace sare::cli {

/// A headline figure of runs that differ in the seed.
struct headline_figure {
    std::string name;
    std::string text;             ///< only if it is no number: the status
    std::vector<double> samples;  ///< value of each run that has it
    estimate value;
    bool is_number = false;
    bool is_exact = false;  ///< true: no noise even with one run, as for a makespan
    bool is_steady = true;  ///< false: depends on the length of the run

    /// Returns a cell: "25.11 ± 0.26", with the half width of the 95% confidence interval; a star behind it
    /// if it is not steady, which `not_steady` explains.
    std::string cell() const;
};

constexpr const char* not_steady = "* depends on the length of the run, which is saturated or unsettled";

/// Returns the figures that a run has, in a fixed order.
std::vector<headline_figure> headlines(const std::vector<json>& runs);

/// Returns the highest accepted load of a curve, whose points are sets of runs.
headline_figure saturation(const std::vector<const std::vector<json>*>& curve);

/// Returns a figure by the batches of a run (its key there); without error if they do not tell one.
estimate batch_estimate(const json& run, const char* key, double mean);

/// Half width of the 95% confidence interval of the figure at `pointer` of a run's summary, over its batches;
/// NaN where it is not known.
double half_width_of(const json& run, const std::string& pointer);
/// Figure at `pointer` as one reads it, with its interval where that is known; "-" where there is none.
std::string known_text(const json& run, const std::string& pointer);

}  // namespace sare::cli
