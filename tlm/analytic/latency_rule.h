// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/topology/topology.h"

namespace sare {

/// Time in picoseconds. 128 bits hold all sums: a message has less than 2^67 bits, a latency is below 2^80
/// ps.
__extension__ typedef unsigned __int128 picoseconds_t;

/// Rule for the time of a message that nothing holds up: L = sum(l_i) + s / b, for s bits over a path whose
/// links have the latencies l_i and of which the slowest has bandwidth b. L is rounded up once, to whole
/// cycles; everything before is exact.
class latency_rule {
  public:
    /// `clock_seconds`: clock period in seconds, rounded to picoseconds, of which it must have 1 at least.
    /// `flit_bytes`: bytes of data, from 1, that a flit carries over a link without a bandwidth of its own.
    /// Neither is checked.
    latency_rule(double clock_seconds, std::uint32_t flit_bytes);

    /// Returns the size of a message in bits, s of the rule: of m.bytes bytes, or of m.flits flits if m.bytes
    /// is message::in_flits.
    std::uint64_t bits(const message& m) const;
    /// Returns L in cycles for a message of `bits` bits over `path`: at least 1, as nothing arrives in the
    /// cycle in which it is sent, and at most 2^62.
    cycle_t cycles(const path_cost& path, std::uint64_t bits) const;

    /// @name Parts of the rule
    /// @{
    picoseconds_t latency(const path_cost& path) const;  ///< first term of L: sum of latencies, in ps
    /// Returns the second term of L in picoseconds: the time of `bits` bits at the lowest bandwidth of
    /// `path`.
    picoseconds_t transfer(const path_cost& path, std::uint64_t bits) const;
    /// Returns the time at which a cycle begins, in picoseconds; cycle 0 begins at 0.
    picoseconds_t start_of(cycle_t cycle) const { return picoseconds_t{cycle} * m_clock; }
    /// Returns the first cycle that begins at `time` or later; at most 2^62.
    cycle_t cycle_of(picoseconds_t time) const;
    /// @}

  private:
    std::uint64_t m_clock;      ///< clock period in picoseconds
    std::uint64_t m_flit_bits;  ///< bits of data that a flit carries
};

}  // namespace sare
