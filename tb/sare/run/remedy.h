// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <functional>
#include <string>

/// --remedy: what the worst reason of a run would have changed is changed, and the run made again. A reason
/// whose change gains nothing is withdrawn.
namespace sare::cli {

/// The change of one parameter.
struct remedy {
    std::string reason, path;
    config::value value;  ///< what `path` becomes
    std::string why_not;  ///< there is nothing to change; "": there is
};

/// What the worst root of congestion in a summary.json (null: none) asks for, in the experiment that it is
/// of.
remedy remedy_of(const experiment& e, const json& summary);
/// The experiment with that change.
experiment changed(const experiment& e, const remedy& r);

/// Says what came of a remedy, in one sentence, and whether the reason holds. `what` was measured, and is
/// better if it is larger; or smaller.
json judge(const remedy& r, const std::string& what, double before, double after, bool larger = true);
/// What is said where nothing was tried.
json judge_nothing(const remedy& r, const std::string& why);

/// Makes a run, which writes its results into `where`, then the one with the remedy, which writes into
/// where/remedy; where/remedy.json has the judgement, which is printed unless `quiet`. Both in processes of
/// their own. Gives the exit status.
int run_with_remedy(const experiment& e, const std::filesystem::path& where, bool quiet,
                    const std::function<int()>& run);

}  // namespace sare::cli
