// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/collective/collective.h"
#include "traffic/trace/reader.h"

#include <ostream>

namespace sare::traffic {

/// The choices that a schedule of GOAL needs and a trace does not have.
struct goal_choices {
    collective_choice collectives;  ///< algorithms by which collectives are written as messages
    double flops_per_second = 1e9;  ///< rate for computation, which GOAL has in nanoseconds
};

/// Writes a trace as a GOAL schedule, task after task; a replay takes the same cycles, if a cycle is a
/// nanosecond and no source queue is full. Returns a line for each property of the trace that a schedule
/// cannot have. Throws config::error if the trace cannot be written as a schedule.
std::vector<std::string> write_goal(trace_reader& reader, const goal_choices& choices, std::ostream& out);

}  // namespace sare::traffic
