// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/topology/topology.h"

namespace sare {

/// L = sum(h_i l_i) + s / min(b): the time of a message of s bits that nothing holds up, over h_i links of
/// latency l_i, where b is the bandwidth of the slowest. In whole cycles, rounded up once, at the end: all
/// before is exact.
class latency_rule {
  public:
    /// `clock_seconds` is a whole number of picoseconds.
    latency_rule(double clock_seconds, std::uint32_t flit_bytes);

    std::uint64_t bits(const message& m) const;  ///< s
    /// At least 1: nothing arrives in the cycle in which it is sent.
    cycle_t cycles(const path_cost& path, std::uint64_t bits) const;

  private:
    std::uint64_t m_clock;      ///< picoseconds
    std::uint64_t m_flit_bits;  ///< of links without a bandwidth of their own
};

}  // namespace sare
