// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/reader.h"

#include <array>
#include <functional>
#include <unordered_map>

/// Checks and descriptions of a trace without a simulation.
namespace sare::traffic {

/// Function that is called every 65,536 or more events with the number of events read so far; empty: not
/// called.
using trace_progress = std::function<void(std::uint64_t)>;

/// Returns the errors of a trace, one line each with file, line, task and event, at most `limit` lines; none
/// if the trace is right. Errors are sends and receives without a partner, receives smaller than their
/// message, probes that find no message, and waits for a request that is not open. Further errors are
/// collectives that not all tasks of a communicator call, or call with another kind, root or size, and the
/// first malformed event of each task. Reads the trace to its end, or until there are `limit` lines.
std::vector<std::string> check_trace(trace_reader& reader, std::size_t limit = 100,
                                     const trace_progress& progress = {});

/// Counts over time, in at most 256 slices of equal length, the first of which begins at 0. Where a time is
/// later than all slices can hold, the length doubles and pairs of slices are added up.
class time_line {
  public:
    /// Largest number of slices.
    static constexpr std::size_t most = 256;
    /// Counts of one slice: messages sent, bytes of these messages, calls of collectives by single tasks.
    struct slice {
        std::uint64_t messages = 0, bytes = 0, collectives = 0;
    };
    slice& at(double seconds);  ///< returns the slice that contains a time, in seconds, at least 0, and makes
                                ///< slices up to it as needed. The reference is valid until the next call.
    double slice_seconds() const { return m_width; }  ///< present length of a slice in seconds; 1e-9 at first
    /// Returns the slices from time 0 to the latest time that at() was called for.
    const std::vector<slice>& slices() const { return m_slices; }

  private:
    double m_width = 1e-9;  ///< length of a slice, in seconds
    std::vector<slice> m_slices;
};

/// Description of a trace, as describe_trace() returns it.
struct trace_info {
    std::uint32_t tasks = 0;                       ///< number of tasks
    std::array<std::uint64_t, op_count> events{};  ///< number of events of each kind, by the number of its op
    /// Number of messages and their bytes: sends, puts and gets; collectives are not counted.
    std::uint64_t messages = 0, bytes = 0;
    double seconds = 0, flops = 0;  ///< Computation of all tasks together: the part given in seconds, and the
                                    ///< part given in operations (not converted).
    double longest = 0;  ///< seconds of computation of the task that computes longest, with operations at the
                         ///< rate given to describe_trace()
    /// Messages from one task to another.
    struct flow {
        std::uint64_t messages = 0, bytes = 0;
    };
    /// Source and destination task; of a get, the source is the task whose memory is read.
    using pair = std::pair<std::uint32_t, std::uint32_t>;
    struct pair_hash {
        std::size_t operator()(const pair& p) const {
            return (std::uint64_t{p.first} << 32 | p.second) * 0x9e3779b97f4a7c15U >> 13;
        }
    };
    std::unordered_map<pair, flow, pair_hash> matrix;  ///< messages and bytes by pair of tasks; pairs without
                                                       ///< messages are not in it
    time_line when;  ///< Messages and calls of collectives over time. The time of an event is the computation
                     ///< of its task so far.
};

/// Reads a trace to its end and returns its description. `flops_per_second`: rate by which computation given
/// in operations becomes seconds. Throws config::error if the trace is malformed.
trace_info describe_trace(trace_reader& reader, double flops_per_second = 1e9,
                          const trace_progress& progress = {});

}  // namespace sare::traffic
