// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/regress/regress_plan.h"

#include <filesystem>

namespace sare::cli {

/// A choice of runs of a plan. A run is wanted if it meets all conditions; by default all runs are wanted.
struct regress_choice {
    /// `runs`: names of the runs that are wanted, empty: all; `tags`: tags of which a run must have at least
    /// one, empty: no tag is needed; `not_tags`: tags of which a run must have none.
    std::vector<std::string> runs, tags, not_tags;
    std::string failed_of;  ///< folder of an earlier result: only cases that did not agree there are wanted;
                            ///< "": all cases are
};

/// @name Functions that write a choice to a JSON file, for the jobs of a regression on a cluster, and read
/// it. The path `failed_of` becomes absolute. Both throw config::error if the file cannot be written or read
/// @{
void write_choice(const regress_choice& choice, const std::filesystem::path& file);
regress_choice read_choice(const std::filesystem::path& file);
/// @}

/// Removes the runs that are not wanted from a plan, and with `failed_of` confines each other run to its
/// cases that did not agree; all cases of a run stay if it had ended without any case, or is a shrunk case.
/// Throws config::error for a name or tag that no run of the plan has, and if regress.json of `failed_of`
/// cannot be read. The plan may be empty afterwards.
void choose_runs(regress_plan& plan, const regress_choice& choice);

/// Moves the journal (the folder `journal`, with the results of finished cases) of an interrupted or killed
/// `sare regress --out result` to `journal`, in place of what is there. Looks first into the partial
/// directories of killed regressions, the newest first, and removes the one whose journal it has moved; then
/// into `result`, where an interrupted one has left it. Throws config::error if there is no journal.
void take_journal(const std::filesystem::path& result, const std::filesystem::path& journal);

}  // namespace sare::cli
