// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/geometric.h"

namespace sare::traffic {

/// Law of timed_source: a message in every cycle with the same probability, so that gaps are geometric.
class bernoulli {
  public:
    static constexpr bool several = false;
    struct clock {
        rng random;
    };
    explicit bernoulli(double probability) : m_gaps(probability) {}
    cycle_t first(clock& c, cycle_t from) const { return from - 1 + next(c); }
    cycle_t next(clock& c) const { return m_gaps.next(c.random); }

  private:
    geometric m_gaps;
};

}  // namespace sare::traffic
