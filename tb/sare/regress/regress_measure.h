// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/regress/regress_run.h"

namespace sare::cli {

/// Runs the experiment of an entry `measure` under each seed, with results in `folder`/NAME/SEED, and judges
/// its figures. Each seed is a case.
regress_outcome measure_entry(const regress_entry& e, const std::filesystem::path& folder,
                              const run_limits& limits);
/// Returns the words of the `sare run` of one seed, without its place.
std::vector<std::string> measure_words(const regress_entry& e, std::uint64_t seed);

}  // namespace sare::cli
