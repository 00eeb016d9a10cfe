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
    std::string rtl;  ///< which it was; "": it was not told
};

/// Runs it, with its results in `folder`/NAME, by so many processes.
regress_outcome run_entry(const regress_entry& e, const std::filesystem::path& folder, std::size_t jobs);
/// Options of `sare cosim` under which a case that was run runs once more, alone.
std::vector<std::string> options_again(const regress_entry& e, const std::string& name);
/// A line for a shell that does so.
std::string command_again(const regress_entry& e, const std::string& name);
/// `sare cosim` for it, with what follows.
child_result run_cosim(const regress_entry& e, const std::filesystem::path& out,
                       const std::vector<std::string>& more);

json to_json(const regress_outcome& o);
regress_outcome outcome_of(const json& tree);

}  // namespace sare::cli
