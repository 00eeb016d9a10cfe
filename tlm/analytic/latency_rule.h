// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/topology/topology.h"

namespace sare {

/// Time in picoseconds, wide enough for all sums: s < 2^67, a latency < 2^80; a second has 2^40 of them.
__extension__ typedef unsigned __int128 picoseconds_t;

/// Rule for the time of a message that nothing holds up: L = sum(h_i l_i) + s / b, for s bits over h_i links
/// of latency l_i, where b is the bandwidth of the slowest link. L is in whole cycles, rounded up once at the
/// end; everything before is exact.
class latency_rule {
  public:
    /// `clock_seconds`: clock period, a whole number of picoseconds. `flit_bytes`: data that a flit carries
    /// in a cycle over a link without a bandwidth of its own.
    latency_rule(double clock_seconds, std::uint32_t flit_bytes);

    std::uint64_t bits(const message& m) const;  ///< bits of a message, s of the rule
    /// Returns L in cycles, at least 1: nothing arrives in the cycle in which it is sent.
    cycle_t cycles(const path_cost& path, std::uint64_t bits) const;

    /// @name Parts of the rule
    /// @{
    picoseconds_t latency(const path_cost& path) const;                       ///< first term of L
    picoseconds_t transfer(const path_cost& path, std::uint64_t bits) const;  ///< second term of L
    picoseconds_t start_of(cycle_t cycle) const { return picoseconds_t{cycle} * m_clock; }  ///< its begin
    /// First cycle that begins at `time` or later.
    cycle_t cycle_of(picoseconds_t time) const;
    /// @}

  private:
    std::uint64_t m_clock;      ///< in picoseconds
    std::uint64_t m_flit_bits;  ///< bits of a flit, for links without a bandwidth of their own
};

}  // namespace sare
