// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

class access_statistics;

/// Summary of the accesses that are over, of one initiator or one memory of a bridge, or of a CHI node. The
/// latency of an initiator's access is from b_transport or BEGIN_REQ to the answer; that of an access at a
/// memory is from the arrival of the request to the memory's answer.
struct access_summary {
    std::string bridge;  ///< SystemC name of the bridge or CHI node
    /// True: a memory; false: an initiator. An AXI manager is two initiators: for reads, then for writes.
    bool memory = false;
    std::uint32_t number = 0;  ///< number in its bridge, in the order of binding
    std::uint32_t node = 0;    ///< number of its node in the network
    /// Numbers of accesses, of reads and of writes among them.
    std::uint64_t accesses = 0, reads = 0, writes = 0;
    std::uint64_t errors = 0;  ///< number of accesses with another response than TLM_OK_RESPONSE
    std::uint64_t bytes = 0;   ///< bytes of accesses without an error
    double bandwidth = 0;      ///< `bytes` per second of simulated time, from time 0 to now
    /// Mean, 99th percentile and maximum of the latency; the mean is NaN without an access.
    double mean_ns = 0, p99_ns = 0, max_ns = 0;
    double outstanding = 0;  ///< mean number of accesses under way, from time 0 to now
    /// Most accesses at a time: of an initiator, sent and not answered; of a memory, requests here.
    std::uint32_t most_outstanding = 0;
    /// Means of the parts of an initiator's latency, which add up to its mean: waits outside of network and
    /// memory, request in the network, memory, response in the network. 0 for a memory, NaN without an
    /// access.
    double queueing_ns = 0, request_ns = 0, memory_ns = 0, response_ns = 0;
    /// Mean cycles that request and response took in the network beyond those of an empty one.
    double stalls = 0;
};

/// Returns the summary of `counted` up to now, with names and numbers, and most_outstanding, of `whose`.
access_summary summary_of(const access_statistics& counted, const access_summary& whose);
/// Writes accesses.csv: a header and a row for each summary.
void write_csv(std::ostream& out, const std::vector<access_summary>& all);
/// Prints the summaries as a table for a terminal.
void print(std::ostream& out, const std::vector<access_summary>& all);

}  // namespace sare
