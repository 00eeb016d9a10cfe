// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"

#include <functional>
#include <memory>
#include <ostream>

namespace sare::traffic {

/// A writer of operations as a trace of some format. The operations of a task must come in their order (not
/// checked), tasks in any order.
class trace_sink {
  public:
    virtual ~trace_sink() = default;
    /// Writes the next operation of `task`. Neither put() nor finish() checks whether the stream took it.
    virtual void put(std::uint32_t task, const operation& o) = 0;
    /// Ends the trace; call once, after the last put(). A trace in binary form is incomplete without it.
    virtual void finish() {}
};

/// The properties of a program that a sink needs before its operations.
struct trace_header {
    /// Number of tasks.
    std::uint32_t tasks = 0;
    /// Function that returns a communicator by the number, above 0, that operations have. put() calls it; the
    /// communicator must live as long as the sink.
    std::function<const communicator&(std::uint32_t)> group;
};

/// Returns a sink that writes Sare's own text form (line 'sare-trace 3' first). `out` must live as long as
/// the sink.
std::unique_ptr<trace_sink> text_sink(trace_header header, std::ostream& out);
/// Returns a sink that writes the binary form of Sare's traces. `out` must live as long as the sink. put()
/// throws config::error for an operation of more than 64 MiB.
std::unique_ptr<trace_sink> binary_sink(trace_header header, std::ostream& out);

/// Runs the program `what` to its end and writes its operations in Sare's own text form, one operation of
/// every task in turn. Operations that do nothing (computation of no time that nothing refers to) are left
/// out. A replay of the text behaves as the program does. Throws config::error for an error in the program.
void write_trace(program& what, std::ostream& out);

}  // namespace sare::traffic
