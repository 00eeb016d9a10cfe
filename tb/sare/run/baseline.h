// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <map>

namespace sare {
class simulation;
}

/// Measurement of how much slower an application is because of other applications and of the network: runs of
/// the application alone.
namespace sare::cli {

class progress_line;

/// Runs each application of an experiment alone, and computes how much slower the applications are together.
class baseline_runs {
  public:
    /// `kinds`: "alone" (the same network and nodes, nothing else), "crossbar" (also alone, with an ideal
    /// network). A kind given twice counts once; empty: run() does nothing. Throws config::error if the
    /// traffic is not 'applications', or has the parameter 'only'.
    baseline_runs(const experiment& e, const std::vector<std::string>& kinds);

    /// Runs each application that is not in the background in a process of its own, `at_once` at a time, and
    /// writes the results into where/baselines/KIND/NAME. `network` is the experiment's, elaborated and not
    /// run. Throws config::error, when all have ended, if one has failed.
    void run(simulation& network, const std::filesystem::path& where, std::size_t at_once,
             progress_line& line);
    /// Adds to `together`, the results of all applications in one run, how much slower each application is
    /// than alone: the part "baselines" of the workload's results, and baselines.csv. Call it after run().
    void compare(run_result& together) const;

  private:
    /// A run of one application alone. `kind`: "alone" or "crossbar"; `name`: name of the application.
    struct job {
        std::string kind, name;
        experiment what;
    };
    /// Figures of one application in one run.
    struct figures {
        double completion;   ///< cycles to completion; NaN: the application never ends, or has not run yet
        double latency;      ///< mean latency of messages from their generation, in cycles; NaN: unknown
        std::string status;  ///< run_status as text; "interrupted" until it has run
    };
    static json run_job(const job& j, simulation& network, const std::filesystem::path& where,
                        const std::function<void(double)>& progress);

    std::vector<std::string> m_kinds;
    std::vector<job> m_jobs;
    std::vector<figures> m_found;  ///< results, by index in m_jobs
};

}  // namespace sare::cli
