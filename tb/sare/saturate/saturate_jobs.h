// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/job_array.h"
#include "tb/sare/saturate/combinations.h"

/// Searches for saturation on a cluster, with a job for each combination, or for several if there are many.
namespace sare::cli {

/// Options of the jobs of a search for saturation.
struct saturate_jobs {
    sweep_source source;        ///< experiment and axes, from which each job makes its plan
    saturation_options search;  ///< options of each search
    store_options store;        ///< store of runs
    array_options array;        ///< scheduler, and options of the jobs
    std::size_t processes = 1;  ///< number of processes of a job
};

/// Runs all combinations of the plan as jobs and waits. Results of an earlier call's jobs, which may still be
/// at work, count; those that failed there are tried again. `take` is called with the row of each
/// combination, {"problem": why} if its job has left none; `on_look` with the number of combinations done.
/// Throws as run_array() does, and config::error if the disk does not take a file.
void run_saturate_jobs(const sweep_plan& plan, const claimed_directory& directory, const saturate_jobs& jobs,
                       const combinations::taker& take, const std::function<void(std::size_t done)>& on_look);

}  // namespace sare::cli
