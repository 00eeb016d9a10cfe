// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/job_array.h"
#include "tb/sare/regress/regress_run.h"

/// A regression on a cluster: a job for each of its runs.
namespace sare::cli {

/// Runs all jobs and waits. Returns the outcomes in order; a run whose job has left no result is an error.
/// `folder`: folder of the results; `file`: the regression; `on_look` is told how many are done.
std::vector<regress_outcome> run_jobs(const regress_plan& plan, const std::string& file,
                                      const std::filesystem::path& folder, std::size_t processes,
                                      array_options options,
                                      const std::function<void(std::size_t done)>& on_look);

}  // namespace sare::cli
