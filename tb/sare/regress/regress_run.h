// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/process/child.h"
#include "tb/sare/regress/regress_plan.h"
#include "tb/sare/regress/regress_results.h"

#include <filesystem>

/// One run of a regression.
namespace sare::cli {

struct regress_outcome {
    std::vector<regress_case> cases;
    std::string rtl;  ///< digest of the RTL, cosim_results::rtl; "": unknown
};

/// Runs an entry in `jobs` processes, with its results in `folder`/NAME. What fails is a case with status
/// "error", or "not run" after a stop.
regress_outcome run_entry(const regress_entry& e, const std::filesystem::path& folder, std::size_t jobs);
/// Returns the options of `sare cosim`, beside those of the whole entry, that run the case `name` again,
/// alone. `name` as in regress_case.
std::vector<std::string> options_again(const regress_entry& e, const std::string& name);
/// Returns the whole line for a shell that runs the case again: of `sare cosim`, or for a mutant of
/// scripts/dev/mutants.
std::string command_again(const regress_entry& e, const std::string& name);
/// Runs `sare cosim` for an entry (not of mutants), with `more` options, and results in `out`, which are
/// replaced. A requested stop is passed on.
child_result run_cosim(const regress_entry& e, const std::filesystem::path& out,
                       const std::vector<std::string>& more);

/// @name JSON by which a job hands over its outcome
/// @{
json to_json(const regress_outcome& o);
regress_outcome outcome_of(const json& tree);
/// @}

}  // namespace sare::cli
