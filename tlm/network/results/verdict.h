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
    std::string convergence;  ///< why it was measured without convergence; "": it had converged, or need not
    double tolerance = 0;     ///< measurement.convergence_tolerance
    traffic_loop loop = traffic_loop::unknown;
};

/// Sets status and reason of a run that was measured to its end (docs/results.md#verdicts). Removes the
/// confidence interval of a mean that only the length of the run has determined.
void judge(const evidence& e, run_result& out);

/// Returns the verdict for a workload: a source without classes of its own grows in all classes.
judged_sources seen_by_workload(const source_backlogs::trend& backlogs, std::uint32_t classes,
                                run_status status);

/// Changes the verdict `completed` by the links, whose figures are known: open-loop traffic may offer more to
/// a link that is nearly full than it takes, while buffers hide that from the sources.
void judge_links(const topology& map, run_result& out);

}  // namespace sare
