// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <systemc>
#include <vector>

namespace sare {

class archive;

/// When cycles begin. The period may change from one cycle to the next; the numbers of cycles go on.
class engine_clock {
  public:
    /// Cycle 0 begins at time 0. Throws std::invalid_argument for a `period` of no time, as change() does.
    explicit engine_clock(const sc_core::sc_time& period);

    /// The cycle that a time lies in: the present one or a later one.
    cycle_t cycle_at(const sc_core::sc_time& time) const {
        const span& s = span_of(&span::begin, time.value());
        return s.first + (time.value() - s.begin) / s.period;
    }
    /// When a cycle begins, if nothing changes: the present one or a later one.
    sc_core::sc_time begin_of(cycle_t cycle) const {
        const span& s = span_of(&span::first, cycle);
        return sc_core::sc_time::from_value(s.begin + (cycle - s.first) * s.period);
    }
    /// It begins before SystemC's time ends.
    bool has(cycle_t cycle) const {
        const span& s = span_of(&span::first, cycle);
        std::uint64_t begin = 0;
        return !__builtin_mul_overflow(cycle - s.first, s.period, &begin) &&
               !__builtin_add_overflow(begin, s.begin, &begin);
    }
    /// When a cycle began: the present one or any before it.
    sc_core::sc_time began(cycle_t cycle) const {
        return m_over.empty() ? begin_of(cycle) : began_before(cycle);
    }
    sc_core::sc_time period_of(cycle_t cycle) const {
        return sc_core::sc_time::from_value(span_of(&span::first, cycle).period);
    }
    /// From cycle `first` on, which has not begun, whatever was said of it before. `now`: SystemC's time.
    /// Throws std::invalid_argument for one that the clock knows to be over.
    void change(cycle_t first, const sc_core::sc_time& period, const sc_core::sc_time& now);
    void serialize(archive& a);

  private:
    sc_core::sc_time began_before(cycle_t cycle) const;
    /// Cycles of one length.
    struct span {
        cycle_t first;        ///< its first cycle
        std::uint64_t begin;  ///< of that
        std::uint64_t period;
    };
    /// The last one that begins at `at` or before.
    const span& span_of(std::uint64_t span::*from, std::uint64_t at) const {
        const span* s = &m_spans.back();
        while (s->*from > at && s != m_spans.data()) --s;
        return *s;
    }

    std::vector<span> m_spans;  ///< in order: the present one, and those to come
    std::vector<span> m_over;   ///< those before, since the simulation began or was restored
};

}  // namespace sare
