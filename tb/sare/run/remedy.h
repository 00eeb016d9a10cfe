// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <functional>
#include <string>

/// --remedy: changes what the worst reason of a run blames, and runs again. A reason whose change gains
/// nothing is withdrawn.
namespace sare::cli {

/// The change of one parameter.
struct remedy {
    std::string reason, path;
    config::value value;  ///< new value of `path`
    std::string why_not;  ///< why there is nothing to change; "": there is
};

/// Returns the change that the worst root of congestion in a summary.json (null: none) of an experiment asks
/// for.
remedy remedy_of(const experiment& e, const json& summary);
/// Returns the experiment with a change.
experiment changed(const experiment& e, const remedy& r);

/// Returns the result of a remedy, in one sentence, and whether the reason holds. `what` was measured;
/// `larger` values are better, else smaller ones.
json judge(const remedy& r, const std::string& what, double before, double after, bool larger = true);
/// Returns the result where nothing was tried.
json judge_nothing(const remedy& r, const std::string& why);

/// Makes a run, which writes its results into `where`, then one with the remedy, which writes into
/// where/remedy; where/remedy.json has the judgement, which is printed unless `quiet`. Both are processes of
/// their own. Returns the exit status.
int run_with_remedy(const experiment& e, const std::filesystem::path& where, bool quiet,
                    const std::function<int()>& run);

}  // namespace sare::cli
