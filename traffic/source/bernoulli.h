// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/geometric.h"

namespace sare::traffic {

/// A law for timed_source: a node sends a message in each cycle with the same probability, independently, so
/// that gaps are geometric.
class bernoulli {
  public:
    /// False: a node never sends several messages in a cycle.
    static constexpr bool several = false;
    /// Arrival process of one sender; has no state but its random stream.
    struct clock {
        rng random;  ///< arrival stream
    };
    /// `probability`: probability of a message in a cycle, above 0 and at most 1.
    explicit bernoulli(double probability) : m_gaps(probability) {}
    /// Returns the cycle of the first message, `from` or later.
    cycle_t first(clock& c, cycle_t from) const { return from - 1 + next(c); }
    /// Returns the cycles, at least 1, from a message to the next one.
    cycle_t next(clock& c) const { return m_gaps.next(c.random); }

  private:
    geometric m_gaps;
};

}  // namespace sare::traffic
