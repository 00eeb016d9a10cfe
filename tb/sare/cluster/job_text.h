// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_failures.h"

#include <filesystem>
#include <string>
#include <vector>

/// Texts of jobs, and about jobs.
namespace sare::cli {

/// Returns the last line of a log and where the log is; "it has no log" if there is none.
std::string last_words(const std::filesystem::path& log);

/// Returns "Slurm job 12_0 ended as TIMEOUT".
std::string job_ended(const std::string& title, const std::string& id, const std::string& said);

/// Reports why points of a job have failed, from the lines of its log.
void report_failed(const std::filesystem::path& log, const std::vector<std::size_t>& points,
                   sweep_failures& failures);

}  // namespace sare::cli
