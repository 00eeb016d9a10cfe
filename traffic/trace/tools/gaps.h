// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/tools/check.h"

#include <vector>

namespace sare::traffic {

/// The seconds that a task computed between two messages that it sent, one after the other; of all tasks.
struct trace_gaps {
    std::vector<double> seconds;  ///< gaps above 0
    std::uint64_t none = 0;       ///< number of messages sent right behind another one
};
trace_gaps gaps_of_trace(trace_reader& reader, double flops_per_second, const trace_progress& progress = {});

}  // namespace sare::traffic
