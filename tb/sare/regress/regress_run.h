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
    std::string rtl;  ///< digest of the RTL; "": unknown
};

/// Runs an entry in `jobs` processes, with its results in `folder`/NAME.
regress_outcome run_entry(const regress_entry& e, const std::filesystem::path& folder, std::size_t jobs);
/// Returns options of `sare cosim` that run one of its cases again, alone.
std::vector<std::string> options_again(const regress_entry& e, const std::string& name);
/// Returns a line for a shell that does so.
std::string command_again(const regress_entry& e, const std::string& name);
/// Runs `sare cosim` for an entry, with `more` options.
child_result run_cosim(const regress_entry& e, const std::filesystem::path& out,
                       const std::vector<std::string>& more);

json to_json(const regress_outcome& o);
regress_outcome outcome_of(const json& tree);

}  // namespace sare::cli
