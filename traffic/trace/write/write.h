// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"

#include <functional>
#include <memory>
#include <ostream>

/// Programs written as traces.
namespace sare::traffic {

/// Takes operations and writes them in a format; those of a task come in order.
class trace_sink {
  public:
    virtual ~trace_sink() = default;
    virtual void put(std::uint32_t task, const operation& o) = 0;
    /// After the last operation.
    virtual void finish() {}
};

/// What a sink is told of the program besides its operations.
struct trace_header {
    std::uint32_t tasks = 0;
    std::function<const communicator&(std::uint32_t)> group;  ///< by its number; it lives as long as the sink
};

std::unique_ptr<trace_sink> text_sink(trace_header header, std::ostream& out);
/// Throws config::error for an operation of more than 64 MiB.
std::unique_ptr<trace_sink> binary_sink(trace_header header, std::ostream& out);

/// Writes a program as Sare's own text, an operation of every task in turn: replayed, it does the same. The
/// program is used up. Throws config::error where it has a mistake.
void write_trace(program& what, std::ostream& out);

}  // namespace sare::traffic
