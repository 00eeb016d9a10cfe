// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/tools/check.h"

#include <vector>

namespace sare::traffic {

/// The gaps of all tasks: seconds that a task computed between two messages that it sent in a row.
struct trace_gaps {
    std::vector<double> seconds;  ///< gaps above 0
    std::uint64_t none = 0;       ///< number of gaps of 0
};
/// Reads a trace and returns its gaps. `flops_per_second`: rate of computation given in operations. Throws
/// config::error if the trace is malformed.
trace_gaps gaps_of_trace(trace_reader& reader, double flops_per_second, const trace_progress& progress = {});

}  // namespace sare::traffic
