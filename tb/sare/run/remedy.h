// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <functional>
#include <string>

/// Tests of the worst reason of congestion of a run (--remedy): a run with the parameter changed that the
/// reason blames. A reason whose change gains nothing is withdrawn.
namespace sare::cli {

/// The change of one parameter.
struct remedy {
    std::string reason;   ///< reason of congestion, as in docs/congestion.md: "busy"
    std::string path;     ///< parameter that is changed: "router.vcs"
    config::value value;  ///< new value of `path`
    std::string why_not;  ///< reason why there is nothing to change; "": there is a change
};

/// Returns the change that a root of congestion asks for, as `congestion` in summary.json and `limiter` of a
/// search for saturation have it. If the root is null, or the change is not possible, `why_not` says so.
remedy remedy_of(const experiment& e, const json& root);
/// Returns experiment `e` with the change `r`, whose `why_not` must be "". Throws config::error if the
/// changed experiment is wrong.
experiment changed(const experiment& e, const remedy& r);

/// Returns the result of a remedy as JSON, with a sentence ("says") and whether the reason holds ("verdict"):
/// it does if the gain is above 3%. `what`: what was measured, in words: "cycles of mean latency"; `before`
/// and `after`: its values without and with the change. `larger`: true if larger values are better, false if
/// smaller ones are.
json judge(const remedy& r, const std::string& what, double before, double after, bool larger = true);
/// Returns the result of a remedy that was not tried as JSON. `why`: reason, in words.
json judge_nothing(const remedy& r, const std::string& why);

/// Calls `run`, which makes a run of `e`, writes its results into `where` and returns an exit status. If that
/// is `good`, makes another run with the remedy, which writes into where/remedy, writes the judgement into
/// where/remedy.json and prints it unless `quiet`; a reason that does not hold is taken out of
/// where/summary.json. Both runs are in processes of their own. Returns the exit status. Throws config::error
/// if a run fails.
int run_with_remedy(const experiment& e, const std::filesystem::path& where, bool quiet,
                    const std::function<int()>& run);

}  // namespace sare::cli
