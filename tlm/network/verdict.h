// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/stats/backlog.h"
#include "tlm/stats/results.h"

namespace sare {

class topology;

/// What a run in a steady state is judged by.
struct evidence {
    source_backlogs::trend backlogs;
    std::string convergence;  ///< why it was measured without; "": it had converged, or was not asked to
    double tolerance = 0;     ///< measurement.convergence_tolerance
    traffic_loop loop = traffic_loop::unknown;
};

/// Sets status and reason of a run that was measured to its end (docs/results.md#verdicts), and takes back
/// the confidence interval of a mean that the length of the run has set.
void judge(const evidence& e, run_result& out);

/// What a workload is told of it: a source without classes of its own grows in all of them.
judged_sources seen_by_workload(const source_backlogs::trend& backlogs, std::uint32_t classes,
                                run_status status);

/// Likewise where it was called completed, by its links, whose figures are known: of open-loop traffic one
/// that is as good as full may be offered more than it takes, while buffers still hide that from the sources.
void judge_links(const topology& map, run_result& out);

}  // namespace sare
