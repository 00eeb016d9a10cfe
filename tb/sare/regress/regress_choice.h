// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/regress/regress_plan.h"

#include <filesystem>

namespace sare::cli {

/// Which runs of a plan are wanted.
struct regress_choice {
    std::vector<std::string> runs, tags,
        not_tags;           ///< names of runs; tags that a run must have one of, or none
    std::string failed_of;  ///< earlier result, of which only failed cases are wanted; "": all are
};

/// @name The choice as a file, by which jobs of a cluster learn it
/// @{
void write_choice(const regress_choice& choice, const std::filesystem::path& file);
regress_choice read_choice(const std::filesystem::path& file);
/// @}

/// Removes the runs that are not wanted from a plan, and confines runs to the cases that failed. Throws
/// config::error for a name or tag that no run has, and for a folder that has no regress.json. The plan may
/// be empty afterwards.
void choose_runs(regress_plan& plan, const regress_choice& choice);

/// Finds what an interrupted or killed `sare regress --out result` has left, and moves its journal, of
/// finished cases, to the folder `journal`. Throws config::error if there is nothing.
void take_journal(const std::filesystem::path& result, const std::filesystem::path& journal);

}  // namespace sare::cli
