// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"
#include "tb/sare/sweep/claimed_directory.h"

/// Files of `sare saturate`: saturate.json (what was asked), saturation.csv (a row for each combination),
/// summary.json (all, with the runs, which are in points/NNN/RR).
namespace sare::cli {

/// Returns what two searches must share to be the same.
json identity_of(const sweep_plan& plan, const saturation_options& options);

/// Writes the files. `rows`: by combination; null if there is none yet. A row with "problem" has failed.
void write_saturation(const std::filesystem::path& where, const sweep_plan& plan,
                      const saturation_options& options, const std::vector<json>& rows);

/// Returns the rows for people, with digits as far as they are known; `where`: directory of the runs.
std::string saturation_text(const std::filesystem::path& where, const sweep_plan& plan,
                            const saturation_options& options, const std::vector<json>& rows);

}  // namespace sare::cli
