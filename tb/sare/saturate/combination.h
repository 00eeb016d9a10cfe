// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_recorder.h"
#include "tb/sare/saturate/search.h"
#include "tb/sare/sweep/sweep_plan.h"

#include <filesystem>
#include <functional>

namespace sare {
class simulation;
}

/// Search for the saturation of one combination, that is, of one sweep_point: one value on each axis.
namespace sare::cli {

/// Options of a search for saturation that a user may choose; see saturation_goal.
struct saturation_options {
    /// Width of the bracket of loads at which the search ends, relative to its upper end.
    double tolerance = saturation_goal().tolerance;
    /// Latency that counts as slow, in multiples of that at the lowest load.
    double latency_factor = saturation_goal().latency_factor;
    std::size_t most_runs = saturation_goal().most_runs;  ///< largest number of runs of one combination
};

/// Throws config::error if `e` has no load that could saturate a network: its traffic has no `load`, runs to
/// completion, waits for deliveries, or drops messages when its source queue is full; or its fidelity is not
/// flit.
void check_saturable(const experiment& e);

/// Searches the saturation of a combination on an elaborated network, in forks of this process; runs that
/// `folder` or the store already has are not made again. Run NN has its results in `folder`/NN. `progress` is
/// called with the fraction of options.most_runs that is done, in [0, 1]. Returns the combination's row as
/// JSON (docs/saturation.md). Throws std::runtime_error if a run fails or a stop is requested.
json saturate_combination(const sweep_point& combination, simulation& network,
                          const std::filesystem::path& folder, const saturation_options& options,
                          run_recorder& recorder, const std::function<void(double)>& progress);

}  // namespace sare::cli
