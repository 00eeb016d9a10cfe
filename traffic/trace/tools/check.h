// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/reader.h"

#include <array>
#include <functional>
#include <unordered_map>

/// Checks and descriptions of a trace without a simulation.
namespace sare::traffic {

/// Function that is called now and then with the number of events read so far; empty: none.
using trace_progress = std::function<void(std::uint64_t)>;

/// Returns the errors of a trace, one line each with file, line, task and event: sends and receives without
/// partner, receives smaller than their message, probes that find none, waits without request, collectives
/// that tasks disagree on, and the first error of the format in each task. At most `limit` lines. Reads the
/// trace to its end.
std::vector<std::string> check_trace(trace_reader& reader, std::size_t limit = 100,
                                     const trace_progress& progress = {});

/// The messages sent over time, in at most 256 slices of equal length; the length doubles as needed.
class time_line {
  public:
    static constexpr std::size_t most = 256;
    struct slice {
        std::uint64_t messages = 0, bytes = 0, collectives = 0;
    };
    slice& at(double seconds);  ///< slice of a time, which is made if it is later than all
    double slice_seconds() const { return m_width; }  ///< length of a slice
    const std::vector<slice>& slices() const { return m_slices; }

  private:
    double m_width = 1e-9;  ///< length of a slice, in seconds
    std::vector<slice> m_slices;
};

struct trace_info {
    std::uint32_t tasks = 0;
    std::array<std::uint64_t, op_count> events{};  ///< number of events of each kind
    /// Point-to-point messages, puts and gets, and their bytes; without collectives.
    std::uint64_t messages = 0, bytes = 0;
    double seconds = 0, flops = 0;  ///< computation of all tasks that is given in seconds, and in operations
    double longest = 0;             ///< seconds of computation of the task that computes longest
    struct flow {
        std::uint64_t messages = 0, bytes = 0;
    };
    using pair = std::pair<std::uint32_t, std::uint32_t>;
    struct pair_hash {
        std::size_t operator()(const pair& p) const {
            return (std::uint64_t{p.first} << 32 | p.second) * 0x9e3779b97f4a7c15U >> 13;
        }
    };
    std::unordered_map<pair, flow, pair_hash> matrix;  ///< flow of (source, destination)
    time_line when;  ///< messages by their sender's, and collectives by each task's, computation so far
};

/// Reads a trace and describes it. `flops_per_second`: rate of computation given in operations. Throws
/// config::error if the trace is malformed.
trace_info describe_trace(trace_reader& reader, double flops_per_second = 1e9,
                          const trace_progress& progress = {});

}  // namespace sare::traffic
