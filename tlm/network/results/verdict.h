// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/stats/backlog.h"
#include "tlm/stats/results.h"

namespace sare {

class topology;

/// Evidence by which a run in a steady state is judged.
struct evidence {
    source_backlogs::trend backlogs;
    /// Reason why the run was measured without convergence; "": it had converged, or did not have to.
    std::string convergence;
    double tolerance = 0;  ///< measurement.convergence_tolerance
    traffic_loop loop = traffic_loop::unknown;
};

/// Sets status and reason of a run that was measured to its end (docs/results.md#verdicts). Removes the
/// confidence interval of a mean that only the length of the run has determined.
void judge(const evidence& e, run_result& out);

/// Returns the verdict on the sources for workload::judged(). A node for which the trend names no message
/// classes counts as growing, or doubtful, in each of the `classes` classes.
judged_sources seen_by_workload(const source_backlogs::trend& backlogs, std::uint32_t classes,
                                run_status status);

/// Changes the verdict `completed` if open-loop traffic may offer more to a nearly full link than the link
/// takes, which buffers hide from the sources for a while. Call when the figures of links are read.
void judge_links(const topology& map, run_result& out);

}  // namespace sare
