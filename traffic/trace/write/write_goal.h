// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/collective/collective.h"
#include "traffic/trace/reader.h"

#include <ostream>

namespace sare::traffic {

/// Choices that a GOAL schedule needs and that a trace does not contain.
struct goal_choices {
    collective_choice collectives;  ///< algorithms by which collectives are written as messages, since GOAL
                                    ///< has no collectives
    double flops_per_second = 1e9;  ///< operations per second, to convert computation given in operations
                                    ///< into the nanoseconds of GOAL
};

/// Writes a trace as a GOAL schedule (text), task after task; a replay of it takes as many cycles as one of
/// the trace if a cycle is a nanosecond and no source queue is full. Returns a line for each kind of property
/// of the trace that a schedule cannot express and that is left out. Throws config::error if the trace is
/// malformed or cannot be written as a schedule.
std::vector<std::string> write_goal(trace_reader& reader, const goal_choices& choices, std::ostream& out);

}  // namespace sare::traffic
