// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"

namespace sare::cli {

/// --remedy of a search whose rows are known: changes what the reason of congestion in the lowest saturated
/// run of each combination names, searches again in where/remedy, and says what was gained, a line a
/// combination; where/points/NNN/remedy.json has it, too.
std::string prove_remedies(const sweep_plan& plan, const std::vector<json>& rows,
                           const std::filesystem::path& where, const saturation_options& options,
                           const store_options& store, std::size_t processes);

}  // namespace sare::cli
