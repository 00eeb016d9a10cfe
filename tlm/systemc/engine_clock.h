// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <systemc>
#include <vector>

namespace sare {

class archive;

/// Converts between SystemC's time and cycles. The period may change from one cycle to the next; the numbers
/// of cycles go on. Later cycles are computed as if the period did not change again.
class engine_clock {
  public:
    /// Makes a clock whose cycle 0 begins at time 0. Throws std::invalid_argument for a `period` of no time.
    explicit engine_clock(const sc_core::sc_time& period);

    /// Returns the cycle in which `time` lies; `time` is not before the last change of period that has begun.
    cycle_t cycle_at(const sc_core::sc_time& time) const {
        const span& s = span_of(&span::begin, time.value());
        return s.first + (time.value() - s.begin) / s.period;
    }
    /// Returns the time at which a cycle begins: the present cycle or a later one.
    sc_core::sc_time begin_of(cycle_t cycle) const {
        const span& s = span_of(&span::first, cycle);
        return sc_core::sc_time::from_value(s.begin + (cycle - s.first) * s.period);
    }
    /// True if the cycle begins before SystemC's time ends.
    bool has(cycle_t cycle) const {
        const span& s = span_of(&span::first, cycle);
        std::uint64_t begin = 0;
        return !__builtin_mul_overflow(cycle - s.first, s.period, &begin) &&
               !__builtin_add_overflow(begin, s.begin, &begin);
    }
    /// Returns the time at which a cycle began: the present cycle or any before it (since a restore()).
    sc_core::sc_time began(cycle_t cycle) const {
        return m_over.empty() ? begin_of(cycle) : began_before(cycle);
    }
    /// Length of a cycle: the present one or a later one.
    sc_core::sc_time period_of(cycle_t cycle) const {
        return sc_core::sc_time::from_value(span_of(&span::first, cycle).period);
    }
    /// Sets the period of cycle `first`, which has not begun, and of all later ones; earlier calls for these
    /// cycles are forgotten. `now`: SystemC's time. Throws std::invalid_argument for a `period` of no time
    /// and for a `first` that the clock knows to be over.
    void change(cycle_t first, const sc_core::sc_time& period, const sc_core::sc_time& now);
    void serialize(archive& a);

  private:
    sc_core::sc_time began_before(cycle_t cycle) const;
    /// A run of cycles of one length. Times are in steps of SystemC's time resolution.
    struct span {
        cycle_t first;         ///< first cycle
        std::uint64_t begin;   ///< time at which the first cycle begins
        std::uint64_t period;  ///< length of a cycle
    };
    /// Returns the last span whose `from` (a cycle or a time) is `at` or less; the first one if there is
    /// none.
    const span& span_of(std::uint64_t span::*from, std::uint64_t at) const {
        const span* s = &m_spans.back();
        while (s->*from > at && s != m_spans.data()) --s;
        return *s;
    }

    std::vector<span> m_spans;  ///< present span, then later ones, by rising cycle
    std::vector<span> m_over;   ///< earlier spans, since the simulation began or was restored
};

}  // namespace sare
