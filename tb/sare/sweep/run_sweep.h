// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/cluster_backend.h"
#include "tb/sare/cluster/job_array.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/runs/store_options.h"
#include "tb/sare/sweep/sweep_plan.h"

#include <string>

/// A whole sweep: `sare sweep`, and `sare run --seeds`, a sweep of a single axis.
namespace sare::cli {

struct sweep_request {
    sweep_source source;
    std::string out, on = this_machine;
    std::size_t processes = 1;
    cluster_options cluster;
    progress_options progress;
    store_options store;
    bool no_report = false;
    bool point_reports = false;  ///< true: a page for each point, too
};

/// Adds an axis of `count` seeds, from the experiment's on.
void add_seeds(sweep_source& source, std::uint64_t count);

/// Runs a sweep, prints its table and writes its page. Returns the exit status.
int run_sweep(const sweep_request& request);

}  // namespace sare::cli
