// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <string>

namespace sare {

/// Period of a clock as an exact fraction of the period of another clock, usually the network's, which is as
/// fast or faster. Edge k, from 0, comes k periods after cycle 0 of the other clock has begun; a cycle of the
/// other clock has at most one edge.
class clock_ratio {
  public:
    /// Makes a clock that has `edges` edges in `cycles` cycles of the other clock. Both must be 1 or more,
    /// and `cycles` not less than `edges`; nothing is checked.
    clock_ratio(std::uint32_t cycles = 1, std::uint32_t edges = 1);

    /// Numerator of the period in cycles of the other clock, in lowest terms.
    std::uint32_t cycles() const { return m_cycles; }
    std::uint32_t edges() const { return m_edges; }  ///< denominator of that fraction
    /// Length of a period, in cycles of the other clock.
    double period() const { return static_cast<double>(m_cycles) / m_edges; }
    /// Returns the cycle of the other clock in which edge `k` lies.
    cycle_t cycle_of(cycle_t k) const { return k * m_cycles / m_edges; }
    /// Returns the number of the first edge at or after the beginning of cycle `t` of the other clock.
    cycle_t first_edge(cycle_t t) const { return (t * m_edges + m_cycles - 1) / m_cycles; }
    /// Returns the number of the last edge before the end of cycle `t` of the other clock.
    cycle_t last_edge(cycle_t t) const { return first_edge(t + 1) - 1; }
    /// True if an edge lies in cycle `t` of the other clock; its number is then first_edge(t).
    bool has_edge(cycle_t t) const { return m_cycles == 1 || cycle_of(first_edge(t)) == t; }
    /// Returns the cycles of the other clock that `n` periods take, rounded up; 0 for `n` 0. The result must
    /// be below 2^32, which is not checked.
    std::uint32_t cycles_of(std::uint32_t n) const;
    /// Returns the period as text: "3", or "3/2".
    std::string text() const;

    friend bool operator==(const clock_ratio& a, const clock_ratio& b);
    friend bool operator!=(const clock_ratio& a, const clock_ratio& b) { return !(a == b); }

  private:
    std::uint32_t m_cycles, m_edges;
};

}  // namespace sare
