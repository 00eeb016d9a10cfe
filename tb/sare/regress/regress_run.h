// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/process/child.h"
#include "tb/sare/regress/regress_plan.h"
#include "tb/sare/regress/regress_results.h"

#include <filesystem>

/// Execution of one entry of a regression plan, in child processes.
namespace sare::cli {

/// Result of a run: its cases.
struct regress_outcome {
    std::vector<regress_case> cases;  ///< all cases of the run
    std::string rtl;                  ///< digest of the RTL, as in cosim_results::rtl; "": unknown
};

/// Limits on a run that its entry does not give.
struct run_limits {
    std::size_t processes = 1;  ///< largest number of processes that run cases at the same time
    std::size_t failures = 0;   ///< number of failures (mismatches and errors) after which no case begins,
                                ///< except mutants; 0: no limit
};

/// Runs an entry, with its results in `folder`/NAME of the entry. A process that ends without results gives a
/// case with status "error", or "not run" after a stop. Cases of RTL that is compared have a journal
/// `folder`/journal/NAME (cosim_journal); those in it are in the result and not run again. Mutants and
/// entries with `measure` have no journal.
regress_outcome run_entry(const regress_entry& e, const std::filesystem::path& folder,
                          const run_limits& limits);
/// Returns the rules for each process that runs cases of an entry: its environment variables and time limit,
/// an end by SIGTERM, and, unless it runs mutants, an end with this process.
child_rules rules_of(const regress_entry& e);
/// Returns a case "start" for an entry whose process has left no results: status "error", with the first line
/// of its output or the time limit as message; or "not run" if a stop was requested before the limit.
regress_case error_of(const regress_entry& e, const child_result& done);
/// Returns the options of `sare cosim`, beside those that all cases of the entry have, that run only the case
/// `name` (regress_case::name) again. Must not be called for mutants and entries with `measure`.
std::vector<std::string> options_again(const regress_entry& e, const std::string& name);
/// Returns the whole shell command that runs the case `name` again: `sare cosim`; `sare run` for an entry
/// with `measure`; scripts/dev/mutants for a mutant ("mutant 3"). Before it stand the environment variables
/// of the entry and, if this process has it, SARE_RTL.
std::string command_again(const regress_entry& e, const std::string& name);
/// Runs `sare cosim` for an entry with `random` or `experiment`, with `more` options, and results in `out`,
/// which are replaced. A requested stop and the time limit of the entry end it, too.
child_result run_cosim(const regress_entry& e, const std::filesystem::path& out,
                       const std::vector<std::string>& more);

/// @name Functions that convert an outcome to JSON, by which a job hands it over, and back
/// @{
json to_json(const regress_outcome& o);
regress_outcome outcome_of(const json& tree);
/// @}

}  // namespace sare::cli
