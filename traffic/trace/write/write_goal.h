// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/collective/collective.h"
#include "traffic/trace/reader.h"

#include <ostream>

namespace sare::traffic {

/// What a schedule of GOAL cannot say, and is decided when it is written.
struct goal_choices {
    collective_choice collectives;  ///< they are written out as messages
    double flops_per_second = 1e9;  ///< GOAL has nanoseconds
};

/// Writes a trace as a GOAL schedule, task after task; a replay takes the same cycles, where the clock is one
/// of nanoseconds and no source queue is full. Answers what the schedule does not have, one line each. Throws
/// config::error where it cannot be written.
std::vector<std::string> write_goal(trace_reader& reader, const goal_choices& choices, std::ostream& out);

}  // namespace sare::traffic
