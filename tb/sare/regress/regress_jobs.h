// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/job_array.h"
#include "tb/sare/regress/regress_run.h"

/// A regression on a cluster: a job for each of its runs.
namespace sare::cli {

/// Runs all jobs and waits. Returns the outcome of each entry of the plan, in order; a run whose job has left
/// no result is an error, or "not run" after a stop. `file`: the regression's; `folder`: folder of the
/// results, which gets the folder `jobs`; `processes`: processes of a job; `on_look` is told how many jobs
/// are done. Throws as run_array() does.
std::vector<regress_outcome> run_jobs(const regress_plan& plan, const std::string& file,
                                      const std::filesystem::path& folder, std::size_t processes,
                                      array_options options,
                                      const std::function<void(std::size_t done)>& on_look);

}  // namespace sare::cli
