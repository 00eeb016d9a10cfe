// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/job_array.h"
#include "tb/sare/regress/regress_run.h"

/// Regressions on a cluster, with a job for each run.
namespace sare::cli {

/// Runs all jobs of a regression and waits. Returns the outcome of each entry of the plan, in order; a run
/// whose job has left no result has a case with status "error", or "not run" after a stop. `file`: the
/// regression's file; `folder`: folder of the results, which gets the folder `jobs`; `processes`: number of
/// processes of a job; `on_look` is called with the number of jobs done. Throws as run_array() does.
std::vector<regress_outcome> run_jobs(const regress_plan& plan, const std::string& file,
                                      const std::filesystem::path& folder, std::size_t processes,
                                      array_options options,
                                      const std::function<void(std::size_t done)>& on_look);

}  // namespace sare::cli
