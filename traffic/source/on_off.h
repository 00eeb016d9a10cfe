// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/geometric.h"

#include <algorithm>

namespace sare::traffic {

/// A law for timed_source: a node is in turn on and off for geometric numbers of cycles (a Markov chain of
/// two states). While it is on, it sends messages by a Bernoulli process. The chain begins in its stationary
/// state. Work grows with messages and on-times (at most 1024 for a message), not with cycles.
class on_off {
  public:
    /// False: a node never sends several messages in a cycle.
    static constexpr bool several = false;
    /// Arrival process of one sender, up to its last message.
    struct clock {
        rng random;        ///< arrival stream
        cycle_t left = 0;  ///< cycles of the present on-time that come after the last message
    };
    /// `probability`: probability of a message in a cycle that is on, above 0 and at most 1; `on`, `off`:
    /// mean lengths of on-times and off-times in cycles, at least 1 each.
    on_off(double probability, double on, double off)
        : m_share(on / (on + off)),
          m_off_per_on(off / on),
          m_gaps(probability),
          m_on(1 / on),
          m_off(1 / off) {}

    /// Returns the cycle of the first message, `from` or later.
    cycle_t first(clock& c, cycle_t from) const {
        const cycle_t begin = c.random.bernoulli(m_share) ? from : from + m_off.next(c.random);
        c.left = m_on.next(c.random);
        return begin - 1 + next(c);
    }
    /// Returns the cycles, at least 1, from a message to the next one.
    cycle_t next(clock& c) const {
        const cycle_t gap = m_gaps.next(c.random);  // in cycles that are on
        cycle_t on = gap, off = 0;
        for (int times = 0; on > c.left; ++times) {
            on -= c.left;
            off += m_off.next(c.random);
            c.left = m_on.next(c.random);
            if (times == most_times) {
                off += static_cast<cycle_t>(std::min(static_cast<double>(on) * m_off_per_on, 0x1p62));
                c.left += on - 1;
            }
        }
        c.left -= on;
        return std::min(gap + off, furthest);
    }

  private:
    static constexpr cycle_t furthest = cycle_t{1} << 62;  ///< a number of cycles longer than any run
    /// Largest number of on-times without a message that are drawn one by one in a gap. The off-times of the
    /// rest of a longer gap are taken at their mean, which bounds the work for a rare message.
    static constexpr int most_times = 1024;
    double m_share;       ///< mean share of the cycles that are on, 0 to 1
    double m_off_per_on;  ///< mean number of cycles off for each cycle on
    geometric m_gaps, m_on, m_off;
};

}  // namespace sare::traffic
