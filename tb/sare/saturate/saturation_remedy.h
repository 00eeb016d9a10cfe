// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"

namespace sare::cli {

/// --remedy of a finished search: changes what the reason of congestion in the lowest saturated run of each
/// combination blames, searches again in where/remedy, and returns a line for each combination about the
/// gain, which is also in where/points/NNN/remedy.json.
std::string prove_remedies(const sweep_plan& plan, const std::vector<json>& rows,
                           const std::filesystem::path& where, const saturation_options& options,
                           const store_options& store, std::size_t processes);

}  // namespace sare::cli
