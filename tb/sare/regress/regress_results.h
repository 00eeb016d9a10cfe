// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <map>
#include <string>
#include <vector>

/// Results of a regression, for people and for CI systems.
namespace sare::cli {

/// A case of a regression: a comparison of RTL, a mutant, or a simulation whose figures are judged.
struct regress_case {
    std::string run;   ///< name of the entry
    std::string name;  ///< name of the case in the entry; "start": the run ended without any case
    /// agrees | mismatch | error | not run. A mutant that is found agrees, one that survives is a mismatch;
    /// so is a figure beyond its limits, and a case of an entry with `expect: fail` that does not fail.
    std::string status;
    std::string message = {};  ///< the difference, the error or why it was not run, in one line; "": agrees
    std::string shrunk = {};   ///< file of the shrunk case, relative to the folder of the results; "": none
    /// Duration by the wall clock, until it was stopped for a figure that is judged; 0 for mutants, "start",
    /// errors of a comparison of RTL, and what never began.
    double seconds = 0;
    std::string command = {};   ///< shell command that runs the case again; "" if it agrees or is "start"
    bool has_waves = false;     ///< true: regress_results::waves are of this case
    bool again_agrees = false;  ///< true: run again, the case agreed; `status` stays mismatch
    /// A letter for each regression in regress_results::history, oldest first: '.' agreed, 'F' mismatch, 'E'
    /// error, '-' not run or without the case.
    std::string earlier = {};
    /// Letters as in `earlier`, only for regressions with the program and RTL of this one.
    std::string same = {};

    bool good() const { return status == "agrees"; }  ///< true: the case agrees
    /// Returns true if the case agreed when it was run again, or its result differs from an earlier one of
    /// the same program and RTL.
    bool flaky() const;
    /// Returns a name that is unique in a regression: "RUN/NAME".
    std::string path() const { return run + "/" + name; }
};

/// A regression that was recorded earlier.
struct earlier_regression {
    std::string when;                           ///< time of the record in UTC: 2026-11-26T01:24:30Z
    std::string version;                        ///< version of the program
    std::map<std::string, std::string> status;  ///< status of each case, by regress_case::path()
    std::map<std::string, std::string> rtl;     ///< digest of the RTL, by the name of the run
    std::map<std::string, double> coverage;     ///< percentages, as in regress_results::coverage
};

/// All cases of a regression, and earlier regressions of the same name.
struct regress_results {
    std::string name, version, when;  ///< name of the plan, version of the program, time in UTC: 2026-11-26
                                      ///< 01:24:30 UTC
    std::string verdict;              ///< agrees | mismatch | error | interrupted
    std::vector<regress_case> cases;  ///< cases, those of a run next to each other
    std::vector<earlier_regression> history;  ///< earlier regressions, the oldest first
    std::map<std::string, std::string> rtl;   ///< digest of the RTL, by the name of the run
    /// First seed, by the name of the run; without runs whose plan gives none (regress_entry::seed is 0).
    std::map<std::string, std::uint64_t> seeds;
    /// Percentages that all runs together have covered, by "bins", "lines" and "toggles"; kinds that were not
    /// counted are missing.
    std::map<std::string, double> coverage;
    std::string waves;  ///< file with waves of the first failure, relative to the folder of the results; "":
                        ///< none

    /// Returns the number of cases with the status `status`.
    std::size_t count(const std::string& status) const;
    /// Sets `earlier` and `same` of each case from `history`, `version` and `rtl`.
    void compare_with_history();
};

/// Returns the results as JSON, as regress.json has them.
json to_json(const regress_results& r);
/// Returns JUnit's XML, with a suite for each run; cases that were not run are skipped.
std::string junit_of(const regress_results& r);
/// Returns a page of HTML that needs no other file.
std::string page_of(const regress_results& r);

}  // namespace sare::cli
