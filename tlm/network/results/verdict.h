// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/stats/backlog.h"
#include "tlm/stats/results.h"

namespace sare {

class topology;

/// Evidence by which a run in a steady state is judged.
struct evidence {
    source_backlogs::trend backlogs;  ///< growth of the sources' backlogs over the window
    /// Reason why the run was measured without convergence; "": it had converged, or did not have to.
    std::string convergence;
    /// Relative change of a mean that does not count as a trend: measurement.convergence_tolerance.
    double tolerance = 0;
    /// Loop of the traffic: whether sources wait for replies before they send more.
    traffic_loop loop = traffic_loop::unknown;
    bool queues_at_nodes = false;  ///< value of network_engine::queues_at_nodes()
};

/// Sets status and reason of `out`, the result of a workload without end that was measured completely
/// (docs/results.md#verdicts). Sets the confidence interval of the packet latency to NaN if the mean depends
/// on the length of the run.
void judge(const evidence& e, run_result& out);

/// Returns the verdict on the sources (`backlogs`, `status` of the run) in the form for workload::judged(). A
/// node for which the trend names no message classes counts as growing, or as doubtful, in each of the
/// `classes` classes.
judged_sources seen_by_workload(const source_backlogs::trend& backlogs, std::uint32_t classes,
                                run_status status);

/// Changes the verdict `completed` to `unsettled` if open-loop traffic may offer more to a nearly full link
/// than the link takes, which buffers hide from the sources for a while. Call when the figures of links have
/// been read.
void judge_links(const topology& map, run_result& out);

}  // namespace sare
