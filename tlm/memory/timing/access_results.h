// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

class access_statistics;

/// Summary of the accesses that are over, of an initiator or memory of a bridge, or of a CHI node. Their
/// latency is for an initiator from b_transport or BEGIN_REQ to the answer, for a memory from the arrival of
/// the request to the memory's answer.
struct access_summary {
    std::string bridge;
    bool memory = false;       ///< false: an initiator; an AXI manager is two: reads, then writes
    std::uint32_t number = 0;  ///< number in its bridge, in the order of binding
    std::uint32_t node = 0;    ///< number of its node in the network
    std::uint64_t accesses = 0, reads = 0, writes = 0;
    std::uint64_t errors = 0;  ///< number of accesses with another response than TLM_OK_RESPONSE
    std::uint64_t bytes = 0;   ///< bytes of accesses without an error
    double bandwidth = 0;      ///< bytes per second, from time 0 to now
    double mean_ns = 0, p99_ns = 0, max_ns = 0;  ///< latency; NaN without an access
    double outstanding = 0;                      ///< mean number under way
    std::uint32_t most_outstanding = 0;          ///< most sent and not answered; of a memory, requests held
    /// Mean parts of an initiator's latency, which add up to it.
    double queueing_ns = 0, request_ns = 0, memory_ns = 0, response_ns = 0;
    double stalls = 0;  ///< mean cycles in the network beyond those of an empty one
};

/// Returns the summary of `counted`, with the names and numbers of `whose`.
access_summary summary_of(const access_statistics& counted, const access_summary& whose);
/// Writes accesses.csv: a row each.
void write_csv(std::ostream& out, const std::vector<access_summary>& all);
/// Prints the summaries as a table for people.
void print(std::ostream& out, const std::vector<access_summary>& all);

}  // namespace sare
