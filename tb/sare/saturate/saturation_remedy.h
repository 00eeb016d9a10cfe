// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"

namespace sare::cli {

/// Proves the reasons of a finished search in `where` (--remedy). For each combination, takes the worst root
/// of congestion in the saturated run with the lowest load, and changes the parameter that it blames.
/// Searches again then, in where/remedy, in `processes` processes. Returns a line for each combination about
/// the gain, which is also in where/points/NNN/remedy.json; a combination whose row is null has none. `rows`:
/// as for write_saturation().
std::string prove_remedies(const sweep_plan& plan, const std::vector<json>& rows,
                           const std::filesystem::path& where, const saturation_options& options,
                           const store_options& store, std::size_t processes);

}  // namespace sare::cli
