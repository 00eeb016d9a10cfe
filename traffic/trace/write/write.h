// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"

#include <functional>
#include <memory>
#include <ostream>

/// Programs written as traces.
namespace sare::traffic {

/// A writer of operations in a format; the operations of a task come in order.
class trace_sink {
  public:
    virtual ~trace_sink() = default;
    virtual void put(std::uint32_t task, const operation& o) = 0;
    /// Ends the trace after the last operation.
    virtual void finish() {}
};

/// The properties of a program that a sink needs besides its operations.
struct trace_header {
    std::uint32_t tasks = 0;
    /// Returns a communicator by its number; it lives as long as the sink.
    std::function<const communicator&(std::uint32_t)> group;
};

/// Returns a sink of Sare's own text form.
std::unique_ptr<trace_sink> text_sink(trace_header header, std::ostream& out);
/// Returns a sink of the binary form. It throws config::error for an operation of more than 64 MiB.
std::unique_ptr<trace_sink> binary_sink(trace_header header, std::ostream& out);

/// Writes a program in Sare's own text form, an operation of every task in turn; a replay of the text does
/// the same as the program, which is at its end afterwards. Throws config::error for an error in the program.
void write_trace(program& what, std::ostream& out);

}  // namespace sare::traffic
