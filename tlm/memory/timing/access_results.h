// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

class access_statistics;

/// Summary of the accesses that are over, of one initiator or one memory of a bridge, or of a CHI node. The
/// latency of an initiator's access is from b_transport or BEGIN_REQ to the answer; the latency of an access
/// at a memory is from the arrival of the request to the memory's answer.
struct access_summary {
    std::string bridge;  ///< SystemC name of the bridge or CHI node
    /// True: a memory; false: an initiator. An AXI manager is two initiators: for reads, then for writes.
    bool memory = false;
    std::uint32_t number = 0;  ///< number in its bridge, in the order of binding
    std::uint32_t node = 0;    ///< number of its node in the network
    /// Number of accesses; numbers of reads and of writes, which add up to it.
    std::uint64_t accesses = 0, reads = 0, writes = 0;
    std::uint64_t errors = 0;  ///< number of accesses that ended with an error response
    std::uint64_t bytes = 0;   ///< bytes of accesses without an error
    double bandwidth = 0;      ///< `bytes` per second of simulated time, from time 0 to now
    /// Mean, 99th percentile and maximum of the latency in ns; NaN without an access.
    double mean_ns = 0, p99_ns = 0, max_ns = 0;
    double outstanding = 0;  ///< mean number of accesses under way, from time 0 to now
    /// Most accesses at a time: of an initiator, sent and not ended by END_RESP; of a memory, requests
    /// between arrival and response.
    std::uint32_t most_outstanding = 0;
    /// Means in ns of the parts of an initiator's latency, which add up to mean_ns: waits outside of network
    /// and memory, request in the network, memory, response in the network. 0 for a memory, NaN without an
    /// access.
    double queueing_ns = 0, request_ns = 0, memory_ns = 0, response_ns = 0;
    /// Mean cycles that request and response together took in the network beyond an empty network's; 0 for a
    /// memory, NaN without an access.
    double stalls = 0;
};

/// Returns the summary of `counted` up to the present SystemC time. `bridge`, `memory`, `number`, `node` and
/// most_outstanding are copied from `whose`.
access_summary summary_of(const access_statistics& counted, const access_summary& whose);
/// Writes accesses.csv to `out`: a header and a row for each summary.
void write_csv(std::ostream& out, const std::vector<access_summary>& all);
/// Prints the summaries to `out` as a table for a terminal.
void print(std::ostream& out, const std::vector<access_summary>& all);

}  // namespace sare
