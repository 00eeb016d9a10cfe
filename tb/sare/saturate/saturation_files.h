// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"
#include "tb/sare/sweep/claimed_directory.h"

/// Files of `sare saturate`: saturate.json (identity of the search), saturation.csv (a row for each finished
/// combination), columns.json (meanings of its columns), summary.json (rows with their runs). Run RR of
/// combination NNN is in points/NNN/RR.
namespace sare::cli {

/// Returns the identity of a search, which must be equal for one search to continue another
/// (claimed_directory): axes, their zips, configuration, tolerance and latency_factor. It also has the name
/// of the file, which need not be equal. most_runs is left out, so that a search can continue with more runs.
json identity_of(const sweep_plan& plan, const saturation_options& options);

/// Writes saturation.csv, columns.json and summary.json into the directory `where`. `rows`: results of
/// saturate_combination(), by number of the point; null rows (unfinished or failed) are left out. Throws
/// config::error if the disk does not take a file.
void write_saturation(const std::filesystem::path& where, const sweep_plan& plan,
                      const saturation_options& options, const std::vector<json>& rows);

/// Returns a table of the rows for the terminal, with numbers rounded to the digits that their intervals
/// support. Below it are a line for each point without a bound, and a line with the number of points whose
/// saturation was not found. `where`: directory of the search, from whose runs it reads summary.json.
std::string saturation_text(const std::filesystem::path& where, const sweep_plan& plan,
                            const saturation_options& options, const std::vector<json>& rows);

}  // namespace sare::cli
