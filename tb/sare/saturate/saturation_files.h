// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"
#include "tb/sare/sweep/claimed_directory.h"

/// What `sare saturate` writes: saturate.json says what was asked, saturation.csv has a row a combination,
/// summary.json all of it with the runs, which are in points/NNN/RR.
namespace sare::cli {

/// What makes two searches the same.
json identity_of(const sweep_plan& plan, const saturation_options& options);

/// `rows`: by combination; null where there is none yet. A row with "problem" has failed.
void write_saturation(const std::filesystem::path& where, const sweep_plan& plan,
                      const saturation_options& options, const std::vector<json>& rows);

/// The same for people.
std::string saturation_text(const sweep_plan& plan, const saturation_options& options,
                            const std::vector<json>& rows);

}  // namespace sare::cli
