// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/estimate.h"
#include "tb/sare/results/result_set.h"

#include <string>
#include <vector>

/// The figures that a run is judged by, each as well as it is known: over seeds, or from the batches of a
/// run.
namespace sare::cli {

/// A headline figure of runs that differ in the seed.
struct headline_figure {
    std::string name;
    std::string text;             ///< of one that is no number: the status
    std::vector<double> samples;  ///< of each run that has it
    estimate value;
    bool is_number = false;
    bool is_exact = false;  ///< without noise where there is only one run: a makespan
    bool is_steady = true;  ///< else it depends on the length of the run

    /// As a cell: "25.11 ± 0.26", the half width of the 95% confidence interval; with a star behind it where
    /// it is not steady, which `not_steady` explains.
    std::string cell() const;
};

constexpr const char* not_steady = "* depends on the length of the run, which is saturated or unsettled";

/// In a fixed order; those that no run has are left out.
std::vector<headline_figure> headlines(const std::vector<json>& runs);

/// The highest accepted load of a curve, whose points are sets of runs.
headline_figure saturation(const std::vector<const std::vector<json>*>& curve);

/// Of a figure in the batches of a run (its key there); without error where they tell none.
estimate batch_estimate(const json& run, const char* key, double mean);

}  // namespace sare::cli
