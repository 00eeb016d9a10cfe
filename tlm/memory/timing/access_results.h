// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

class access_statistics;

/// An initiator or a memory of a bridge, or a CHI node, and its accesses that are over. Of an initiator they
/// were under way from b_transport or BEGIN_REQ to the answer, of a memory from the arrival of the request to
/// the memory's answer.
struct access_summary {
    std::string bridge;
    bool memory = false;       ///< else an initiator; an AXI manager is two: reads, then writes
    std::uint32_t number = 0;  ///< among those of its bridge
    std::uint32_t node = 0;    ///< of the network
    std::uint64_t accesses = 0, reads = 0, writes = 0;
    std::uint64_t errors = 0;                    ///< of these, with another response than TLM_OK_RESPONSE
    std::uint64_t bytes = 0;                     ///< of those without an error
    double bandwidth = 0;                        ///< bytes a second, from time 0 to now
    double mean_ns = 0, p99_ns = 0, max_ns = 0;  ///< latency; NaN without an access
    double outstanding = 0;                      ///< on average
    std::uint32_t most_outstanding = 0;          ///< sent and not answered; of a memory, requests held
    /// Of an initiator, the means of the parts of its latency, which add up to it.
    double queueing_ns = 0, request_ns = 0, memory_ns = 0, response_ns = 0;
    double stalls = 0;  ///< and cycles in the network beyond those of an empty one
};

/// What has been counted until now, of `whose` names and numbers.
access_summary summary_of(const access_statistics& counted, const access_summary& whose);
/// accesses.csv: a row each.
void write_csv(std::ostream& out, const std::vector<access_summary>& all);
/// The same for people.
void print(std::ostream& out, const std::vector<access_summary>& all);

}  // namespace sare
