// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/tools/check.h"

#include <vector>

namespace sare::traffic {

/// The gaps between messages, of all tasks: seconds of computation of a task between two consecutive messages
/// that it sends (sends, sendrecvs and puts; gets and collectives do not count).
struct trace_gaps {
    std::vector<double> seconds;  ///< all gaps above 0, in seconds, in no particular order
    std::uint64_t none = 0;       ///< number of gaps of 0 seconds
};
/// Reads a trace to its end and returns its gaps. `flops_per_second`: rate by which computation given in
/// operations becomes seconds. `progress`: called every million events. Throws config::error if the trace is
/// malformed.
trace_gaps gaps_of_trace(trace_reader& reader, double flops_per_second, const trace_progress& progress = {});

}  // namespace sare::traffic
