// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/reader.h"
#include "traffic/trace/write/write.h"

#include <functional>
#include <limits>

namespace sare::traffic {

/// The part of a trace that is kept.
struct cut_window {
    /// Time of the events that are kept: seconds of their task's recorded computation so far, in [from, to).
    double from = 0, to = std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> tasks;  ///< tasks in ascending order, which become 0, 1, ...; empty: all
    double flops_per_second = 1e9;     ///< rate for computation that is given in operations
};

struct cut_counts {
    std::uint64_t events = 0;  ///< events kept
    /// Sends, receives, puts and gets left out: their partner is not in the cut.
    std::uint64_t messages = 0;
    std::uint64_t collectives = 0;  ///< calls left out: a task of the cut, or the root, does not take part
    std::uint64_t waits = 0;        ///< waits left out: the operation that they wait for is not in the cut
    std::uint64_t probes = 0;  ///< probes, all left out: the message that they find may not be in the cut
};

/// Writes a part of a trace to the sink that `make` returns for its header. The trace is read twice, by
/// readers that `open` returns. A collective is kept among the tasks of the cut. It is not known which
/// message a receive with any_source or any_tag has taken: such receives, and others of their task, get
/// messages of the window in order. Throws config::error if the trace is malformed, or lacks a task of the
/// window.
cut_counts cut_trace(const std::function<std::unique_ptr<trace_reader>()>& open, const cut_window& window,
                     const std::function<std::unique_ptr<trace_sink>(trace_header)>& make);

}  // namespace sare::traffic
