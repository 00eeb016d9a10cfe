// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <map>
#include <string>
#include <vector>

/// Results of a regression, for people and for CI systems.
namespace sare::cli {

struct regress_case {
    std::string run, name;     ///< names of the entry, and of the case in it
    std::string status;        ///< agrees | mismatch | error | not run
    std::string message = {};  ///< one line; "" if the case agrees
    std::string shrunk = {};   ///< file; "": none
    double seconds = 0;
    std::string command = {};   ///< only if it differs: command that runs it again
    bool again_agrees = false;  ///< true: it failed, and did not when it was run again
    /// A letter for each recorded regression, the last at the end (. F E -); and for those of the same
    /// program and RTL alone.
    std::string earlier = {}, same = {};

    bool good() const { return status == "agrees"; }
    bool flaky() const;  ///< again_agrees, or the same program and RTL have differed and agreed
    std::string path() const { return run + "/" + name; }
};

/// A regression that was recorded earlier.
struct earlier_regression {
    std::string when, version;
    std::map<std::string, std::string> status;  ///< by path of a case
    std::map<std::string, std::string> rtl;     ///< digest of the RTL, by run
};

struct regress_results {
    std::string name, version, when, verdict;  ///< agrees | mismatch | error | interrupted
    std::vector<regress_case> cases;
    std::vector<earlier_regression> history;  ///< oldest first
    std::map<std::string, std::string> rtl;   ///< digest of the RTL, by run
    std::string waves;                        ///< waves of the first failure; "": none

    std::size_t count(const std::string& status) const;
    /// Sets `earlier` of each case.
    void compare_with_history();
};

json to_json(const regress_results& r);
/// Returns JUnit's XML, with a suite for each run.
std::string junit_of(const regress_results& r);
/// Returns one page of HTML that needs no other file.
std::string page_of(const regress_results& r);

}  // namespace sare::cli
