// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/cluster_backend.h"
#include "tb/sare/cluster/job_array.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/runs/store_options.h"
#include "tb/sare/sweep/sweep_plan.h"

#include <string>

/// A whole sweep: the work of `sare sweep`, and of `sare run --seeds`, a sweep of a single axis.
namespace sare::cli {

/// Arguments of run_sweep(): the experiment and axes, the place of processes, and the files that are written.
struct sweep_request {
    sweep_source source;            ///< experiment and axes
    std::string out;                ///< directory of the results
    std::string on = this_machine;  ///< this_machine, or the name of a scheduler
    std::size_t processes = 1;      ///< largest number of processes at work; on a cluster, in each job
    cluster_options cluster;  ///< options on a cluster; unused on this machine. `scheduler` is set from `on`
    progress_options progress;   ///< places where progress is shown
    store_options store;         ///< store of runs
    bool no_report = false;      ///< true: report.html is not written
    bool point_reports = false;  ///< true: report.html is written for each point, too
};

/// Adds an axis of `count` consecutive seeds, from the experiment's seed on; does nothing if `count` is
/// below 2. Throws usage_error if there is an axis `seed` already, or the last seed would exceed 2^63 - 1.
void add_seeds(sweep_source& source, std::uint64_t count);

/// Runs a sweep, or goes on with the one in the same directory, prints its table and writes its report.html.
/// Returns the exit status. Throws config::error, usage_error or scheduler_error if the sweep cannot begin.
int run_sweep(const sweep_request& request);

}  // namespace sare::cli
