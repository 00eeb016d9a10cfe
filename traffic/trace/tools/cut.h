// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/reader.h"
#include "traffic/trace/write/write.h"

#include <functional>
#include <limits>

namespace sare::traffic {

/// The part of a trace that is to be kept.
struct cut_window {
    /// Window of time: an event is kept if its task has computed at least `from` and less than `to` seconds
    /// before it, by the recorded computation.
    double from = 0, to = std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> tasks;  ///< tasks to keep, each once, in ascending order (not checked); the
                                       ///< first becomes task 0, the next task 1 and so on; empty: all tasks
    double flops_per_second = 1e9;     ///< rate by which computation given in operations becomes seconds
};

/// Numbers of operations that cut_trace() kept, and that it left out within the window and its tasks.
struct cut_counts {
    std::uint64_t events = 0;  ///< number of events written
    /// Number of sends, receives, puts and gets left out since their partner is not in the cut.
    std::uint64_t messages = 0;
    std::uint64_t collectives = 0;  ///< number of calls of collectives left out since not all tasks of the
                                    ///< cut make the call in the window, or the root is not kept
    std::uint64_t waits = 0;   ///< number of waits left out since the operation that they wait for is not in
                               ///< the cut
    std::uint64_t probes = 0;  ///< number of probes left out: all probes, since the message that a probe
                               ///< finds may not be in the cut
};

/// Writes the part `window` of a trace to the sink that `make` returns for the header of the new trace, and
/// returns the counts. `open` is called twice and must return two independent readers of the same trace. A
/// collective is kept among those of its tasks that are kept. A trace does not say which message a receive
/// with any_source or any_tag has taken: for a task with such receives, sends and receives of the window are
/// matched in their order. Throws config::error if the trace is malformed, has an operation that cannot be
/// cut, or lacks a task of the window.
cut_counts cut_trace(const std::function<std::unique_ptr<trace_reader>()>& open, const cut_window& window,
                     const std::function<std::unique_ptr<trace_sink>(trace_header)>& make);

}  // namespace sare::traffic
