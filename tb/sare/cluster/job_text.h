// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_failures.h"

#include <filesystem>
#include <string>
#include <vector>

/// Texts of jobs, and about jobs.
namespace sare::cli {

/// Returns a text about the file `log` of a job: "it said 'LAST LINE' in LOG"; "it has written nothing to
/// LOG" if the log is missing or empty.
std::string last_words(const std::filesystem::path& log);

/// Returns "Slurm job 12_0 ended as TIMEOUT". `title`: the batch system's name; `id`: the job's id; `said`:
/// the batch system's word for the job's state.
std::string job_ended(const std::string& title, const std::string& id, const std::string& said);

/// Adds to `failures` the errors of points that the log of a job has, as lines "sare: point N: ..." in its
/// last megabyte. If it has none, prints that `points` failed, and the last line of the log.
void report_failed(const std::filesystem::path& log, const std::vector<std::size_t>& points,
                   sweep_failures& failures);

}  // namespace sare::cli
