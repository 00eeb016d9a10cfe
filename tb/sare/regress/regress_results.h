// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <map>
#include <string>
#include <vector>

/// What a regression has found, for people and for CI systems.
namespace sare::cli {

struct regress_case {
    std::string run, name;     ///< of the entry, and of the case in it
    std::string status;        ///< agrees | mismatch | error | not run
    std::string message = {};  ///< one line; "" where it agrees
    std::string shrunk = {};   ///< file; "": none
    double seconds = 0;
    std::string command = {};   ///< that runs it once more, of one that differs
    bool again_agrees = false;  ///< it failed, and did not when it was run again
    /// A letter for each recorded regression, the last one at the end (. F E -); and of those of the same
    /// program and RTL alone.
    std::string earlier = {}, same = {};

    bool good() const { return status == "agrees"; }
    bool flaky() const;  ///< by that, or because the same program and RTL have differed and agreed before
    std::string path() const { return run + "/" + name; }
};

/// A regression that was recorded before.
struct earlier_regression {
    std::string when, version;
    std::map<std::string, std::string> status;  ///< by a case's path
    std::map<std::string, std::string> rtl;     ///< by run
};

struct regress_results {
    std::string name, version, when, verdict;  ///< agrees | mismatch | error | interrupted
    std::vector<regress_case> cases;
    std::vector<earlier_regression> history;  ///< oldest first
    std::map<std::string, std::string> rtl;   ///< by run: which it was
    std::string waves;                        ///< of the first failure; "": none

    std::size_t count(const std::string& status) const;
    /// Fills each case's `earlier`.
    void compare_with_history();
};

json to_json(const regress_results& r);
/// JUnit's XML, a suite a run.
std::string junit_of(const regress_results& r);
/// One page of HTML that needs no other file.
std::string page_of(const regress_results& r);

}  // namespace sare::cli
