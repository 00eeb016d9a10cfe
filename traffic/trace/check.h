// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/reader.h"

#include <array>
#include <map>

/// A look at a trace without a simulation.
namespace sare::traffic {

/// What is wrong with a trace, one line each with file, line, task and event: sends and receives without
/// partner, receives smaller than their message, waits without request, collectives that tasks disagree on,
/// and the first error of the format in each task. At most `limit` lines. Reads the trace to its end.
std::vector<std::string> check_trace(trace_reader& reader, std::size_t limit = 100);

struct trace_info {
    std::uint32_t tasks = 0;
    std::array<std::uint64_t, op_count> events{};  ///< by kind
    std::uint64_t messages = 0, bytes = 0;         ///< point to point; those of collectives are not counted
    double seconds = 0, flops = 0;                 ///< computation, all tasks
    struct flow {
        std::uint64_t messages = 0, bytes = 0;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, flow> matrix;  ///< (source, destination)
};

/// Reads the trace to its end; throws config::error where it is malformed.
trace_info describe_trace(trace_reader& reader);

}  // namespace sare::traffic
