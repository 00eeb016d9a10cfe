// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_recorder.h"
#include "tb/sare/saturate/search.h"
#include "tb/sare/sweep/sweep_plan.h"

#include <filesystem>
#include <functional>

/// One combination of the axes: its runs, and its saturation.
namespace sare {
class simulation;
}

namespace sare::cli {

struct saturation_options {
    double tolerance = saturation_goal().tolerance, latency_factor = saturation_goal().latency_factor;
    std::size_t most_runs = saturation_goal().most_runs;
};

/// Throws config::error if the traffic has no load that could saturate a network.
void check_saturable(const experiment& e);

/// Searches the saturation of a combination on an elaborated network, in forks of this process; continues
/// from runs that `folder` or the store has. Returns its row as JSON: docs/saturation.md.
json saturate_combination(const sweep_point& combination, simulation& network,
                          const std::filesystem::path& folder, const saturation_options& options,
                          run_recorder& recorder, const std::function<void(double)>& progress);

}  // namespace sare::cli
