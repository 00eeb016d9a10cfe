// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/reader.h"
#include "traffic/trace/write/write.h"

#include <functional>
#include <limits>

namespace sare::traffic {

/// What is kept of a trace.
struct cut_window {
    /// Events that begin at these seconds of their task's recorded computation so far: from <= time < to.
    double from = 0, to = std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> tasks;  ///< in ascending order; they become tasks 0, 1, ...; empty: all
    double flops_per_second = 1e9;     ///< of computation that is given in operations
};

struct cut_counts {
    std::uint64_t events = 0;  ///< kept
    std::uint64_t messages =
        0;  ///< left out as their partner is not in the cut: sends and receives, puts and gets
    std::uint64_t collectives = 0;  ///< calls left out as a task of the cut, or the root, does not take part
    std::uint64_t waits = 0;        ///< left out as what they wait for is not in the cut
    std::uint64_t probes = 0;       ///< all are left out: what they find may not be in the cut
};

/// Writes a part of a trace to the sink that `make` gives for its header. The trace is read twice, by readers
/// that `open` gives. A collective is kept among the tasks of the cut. Where a receive from any source, or of
/// any tag, has taken its message is not known: such receives, and others of their task, get messages of the
/// window in order. Throws config::error where the trace is malformed, or has no such task.
cut_counts cut_trace(const std::function<std::unique_ptr<trace_reader>()>& open, const cut_window& window,
                     const std::function<std::unique_ptr<trace_sink>(trace_header)>& make);

}  // namespace sare::traffic
