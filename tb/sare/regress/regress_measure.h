// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/regress/regress_run.h"

namespace sare::cli {

/// Runs `sare run` with the experiment of an entry with `measure` under each of its seeds, one after another,
/// with results in `folder`/NAME/SEED. Returns a case for each seed: it agrees if all conditions of
/// regress_entry::figures hold, and is an error if the process fails; "not run" after a stop, or after
/// limits.failures mismatches and errors. An experiment that cannot be read is one case "start" with an
/// error. `expect` is not considered.
regress_outcome measure_entry(const regress_entry& e, const std::filesystem::path& folder,
                              const run_limits& limits);
/// Returns the words of a command line that runs the experiment of the entry under one seed: "sare", "run",
/// file, --set options, --seed; without options on where results are written.
std::vector<std::string> measure_words(const regress_entry& e, std::uint64_t seed);

}  // namespace sare::cli
