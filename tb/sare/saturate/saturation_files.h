// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"
#include "tb/sare/sweep/claimed_directory.h"

/// Files of `sare saturate`: saturate.json (what was asked), saturation.csv (a row for each combination),
/// summary.json (all, with the runs, which are in points/NNN/RR).
namespace sare::cli {

/// Returns what two searches must share to be the same, for claimed_directory: axes, configuration, tolerance
/// and latency_factor; not most_runs, so that a search may go on with more of them.
json identity_of(const sweep_plan& plan, const saturation_options& options);

/// Writes the files but saturate.json. `rows`: rows of saturate_combination(), by number of the point; null
/// for a combination that has not ended, or has failed.
void write_saturation(const std::filesystem::path& where, const sweep_plan& plan,
                      const saturation_options& options, const std::vector<json>& rows);

/// Returns the rows as a table for people, with digits as far as they are known. `where`: directory of the
/// search.
std::string saturation_text(const std::filesystem::path& where, const sweep_plan& plan,
                            const saturation_options& options, const std::vector<json>& rows);

}  // namespace sare::cli
