// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <systemc>
#include <vector>

namespace sare {

class archive;

/// Converts between SystemC's time and cycles of a clock. The period may change from one cycle to the next;
/// cycle numbers go on. For cycles after the last known change the clock assumes that the period stays as it
/// is.
class engine_clock {
  public:
    /// Makes a clock whose cycle 0 begins at time 0. Throws std::invalid_argument for a `period` of no time.
    explicit engine_clock(const sc_core::sc_time& period);

    /// Returns the number of the cycle in which `time` lies; `time` must not be before the last change of
    /// period that has taken effect (not checked).
    cycle_t cycle_at(const sc_core::sc_time& time) const {
        const span& s = span_of(&span::begin, time.value());
        return s.first + (time.value() - s.begin) / s.period;
    }
    /// Returns the time at which a cycle begins, which must be the present cycle or a later one that begins
    /// before SystemC's time ends (not checked; see has()).
    sc_core::sc_time begin_of(cycle_t cycle) const {
        const span& s = span_of(&span::first, cycle);
        return sc_core::sc_time::from_value(s.begin + (cycle - s.first) * s.period);
    }
    /// True if `cycle`, the present or a later one, begins before SystemC's time ends.
    bool has(cycle_t cycle) const {
        const span& s = span_of(&span::first, cycle);
        std::uint64_t begin = 0;
        return !__builtin_mul_overflow(cycle - s.first, s.period, &begin) &&
               !__builtin_add_overflow(begin, s.begin, &begin);
    }
    /// Returns the time at which `cycle` began: the present cycle or an earlier one, but none before the last
    /// restore() of a checkpoint (not checked).
    sc_core::sc_time began(cycle_t cycle) const {
        return m_over.empty() ? begin_of(cycle) : began_before(cycle);
    }
    /// Returns the length of a cycle, which must be the present one or a later one (not checked).
    sc_core::sc_time period_of(cycle_t cycle) const {
        return sc_core::sc_time::from_value(span_of(&span::first, cycle).period);
    }
    /// Sets the period of cycle `first`, which must not have begun, and of all later cycles; earlier calls
    /// for these cycles are forgotten. `now`: SystemC's time. Throws std::invalid_argument for a `period` of
    /// no time and for a `first` that the clock knows to be over.
    void change(cycle_t first, const sc_core::sc_time& period, const sc_core::sc_time& now);
    /// Writes the present and the later periods to a checkpoint, or reads them.
    void serialize(archive& a);

  private:
    sc_core::sc_time began_before(cycle_t cycle) const;
    /// Consecutive cycles of one length. Times are in steps of SystemC's time resolution.
    struct span {
        cycle_t first;         ///< first cycle
        std::uint64_t begin;   ///< time at which the first cycle begins
        std::uint64_t period;  ///< length of a cycle
    };
    /// Returns the last span whose member `from` (first or begin) is `at` or less; the first span if there is
    /// none.
    const span& span_of(std::uint64_t span::*from, std::uint64_t at) const {
        const span* s = &m_spans.back();
        while (s->*from > at && s != m_spans.data()) --s;
        return *s;
    }

    std::vector<span> m_spans;  ///< present span, then later ones, in ascending order
    std::vector<span> m_over;   ///< earlier spans, ascending; after a restore() only later ones count
};

}  // namespace sare
