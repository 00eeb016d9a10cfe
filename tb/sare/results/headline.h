// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/estimate.h"
#include "tb/sare/results/result_set.h"

#include <string>
#include <vector>

/// Figures by which a run is judged, each with its error, which comes from the seeds, or from the batches of
/// one run.
namespace sare::cli {

/// A headline figure of runs that differ in the seed.
struct headline_figure {
    std::string name;  ///< name for people, with the unit
    /// Status of the runs: "completed", or "4 completed, 1 saturated" if they differ; "" if is_number.
    std::string text;
    /// Value of each run that has the figure; in the result of saturation(), of each seed.
    std::vector<double> samples;
    estimate value;          ///< mean of the samples with its error; of no meaning without samples
    bool is_number = false;  ///< false: the figure is `text`
    bool is_exact = false;   ///< true: the figure has no noise, even with one run, as a makespan
    bool is_steady = true;   ///< false: the figure depends on the length of the run (not_steady)

    /// Returns the cell of a table: `text`, or "25.11 ± 0.26", with the half width of the 95% confidence
    /// interval unless that is unknown or 0; "-" without samples. A star follows if the figure is not steady,
    /// which `not_steady` explains.
    std::string cell() const;
};

/// Line below a table that explains the star of headline_figure::cell().
constexpr const char* not_steady = "* depends on the length of the run, which is saturated or unsettled";

/// Returns the headline figures of runs that differ in the seed, in this order: status, makespan, offered
/// load, accepted load, mean and p99 packet latency, mean hops, utilisation of the busiest link. Leaves out
/// figures that no run has.
std::vector<headline_figure> headlines(const std::vector<json>& runs);

/// Returns the saturation throughput of a curve, in flits per node and cycle: for each seed the highest
/// accepted load over all points, and the mean of these over the seeds; without samples if no run has an
/// accepted load. `curve`: the runs of each point. With one seed, the error comes from the batches of the run
/// with the highest load.
headline_figure saturation(const std::vector<const std::vector<json>*>& curve);

/// Returns `mean` (of the whole run) with the standard error that the run's batches give (method of batch
/// means). `key`: name of the figure in each batch. The error is NaN (unknown) if fewer than two batches have
/// a number there.
estimate batch_estimate(const json& run, const char* key, double mean);

/// Returns the half width of the 95% confidence interval of the figure at `pointer` (a JSON pointer) in the
/// summary of a run, over the run's batches; NaN if it is not known.
double half_width_of(const json& run, const std::string& pointer);
/// Returns the figure at `pointer` (a JSON pointer) in the summary of a run as text for people, with its 95%
/// interval if known; "-" if there is no number.
std::string known_text(const json& run, const std::string& pointer);

}  // namespace sare::cli
