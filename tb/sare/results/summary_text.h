// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/stats/results.h"

#include <string>

namespace sare::cli {

/// Returns the summary that `sare run` prints: status, workload, packets, loads (flits/node/cycle), latencies
/// (cycles), links, speed, ... Lines wrap at the terminal's width, 60 to 100 columns (80 if it is unknown);
/// tables do not wrap.
std::string summary_text(const experiment& e, const run_result& r);

}  // namespace sare::cli
