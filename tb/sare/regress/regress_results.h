// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <map>
#include <string>
#include <vector>

/// Results of a regression, for people and for CI systems.
namespace sare::cli {

struct regress_case {
    std::string run;            ///< name of the entry
    std::string name;           ///< name of the case in the entry; "start": the run ended without any case
    std::string status;         ///< agrees | mismatch | error | not run
    std::string message = {};   ///< what differs or failed, in one line; "" if the case agrees
    std::string shrunk = {};    ///< file of the shrunk case, relative to the results; "": none
    double seconds = 0;         ///< duration by the wall clock; 0 for mutants
    std::string command = {};   ///< shell command that runs a case which does not agree again; else ""
    bool has_waves = false;     ///< true: regress_results::waves are those of this case
    bool again_agrees = false;  ///< true: it failed, and did not when it was run again
    /// A letter for each earlier regression in regress_results::history, oldest first: '.' agreed, 'F'
    /// mismatch, 'E' error, '-' not run or not in it.
    std::string earlier = {};
    /// Letters of only those regressions whose program and RTL are those of this one.
    std::string same = {};

    bool good() const { return status == "agrees"; }
    /// True if the case agreed when it was run again, or its result differs from an earlier one of the same
    /// program and RTL.
    bool flaky() const;
    /// Name that is unique in a regression: "RUN/NAME".
    std::string path() const { return run + "/" + name; }
};

/// A regression that was recorded earlier.
struct earlier_regression {
    std::string when;                           ///< time in UTC: 2026-11-26T01:24:30Z
    std::string version;                        ///< version of the program
    std::map<std::string, std::string> status;  ///< by regress_case::path()
    std::map<std::string, std::string> rtl;     ///< digest of the RTL, by run
    std::map<std::string, double> coverage;     ///< as regress_results::coverage
};

struct regress_results {
    std::string name, version, when;          ///< name of the plan; version and time as in earlier_regression
    std::string verdict;                      ///< agrees | mismatch | error | interrupted
    std::vector<regress_case> cases;          ///< cases of a run are next to each other
    std::vector<earlier_regression> history;  ///< oldest first
    std::map<std::string, std::string> rtl;   ///< digest of the RTL, by run
    std::map<std::string, std::uint64_t>
        seeds;                               ///< first seed, by run; without runs that leave it to the file
    std::map<std::string, double> coverage;  ///< percent that is covered by all runs: bins, lines, toggles
    std::string waves;  ///< file with waves of the first failure, relative to the results; "": none

    /// Number of cases with a status.
    std::size_t count(const std::string& status) const;
    /// Sets `earlier` and `same` of each case from `history`.
    void compare_with_history();
};

json to_json(const regress_results& r);
/// Returns JUnit's XML, with a suite for each run.
std::string junit_of(const regress_results& r);
/// Returns one page of HTML that needs no other file.
std::string page_of(const regress_results& r);

}  // namespace sare::cli
