// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/engine_clock.h"

#include "tlm/state/archive.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace sare {

namespace {

/// Returns a period in steps of SystemC's time resolution, at least one.
std::uint64_t steps_of(const sc_core::sc_time& period) {
    if (period == sc_core::SC_ZERO_TIME) throw std::invalid_argument("the period of a clock is no time");
    return period.value();
}

}  // namespace

engine_clock::engine_clock(const sc_core::sc_time& period) : m_spans{{0, 0, steps_of(period)}} {}

void engine_clock::change(cycle_t first, const sc_core::sc_time& period, const sc_core::sc_time& now) {
    const std::uint64_t steps = steps_of(period);
    if (first <= m_spans.front().first)
        throw std::invalid_argument(fmt::format("cycle {}, from which a clock is to change, is over", first));
    const std::uint64_t begin = begin_of(first).value();
    while (m_spans.back().first >= first) m_spans.pop_back();
    m_spans.push_back({first, begin, steps});
    const span* const present = &span_of(&span::begin, now.value());
    const auto first_kept = m_spans.begin() + (present - m_spans.data());
    m_over.insert(m_over.end(), m_spans.begin(), first_kept);
    m_spans.erase(m_spans.begin(), first_kept);
}

/// Returns what began() does, for a clock whose period has changed.
sc_core::sc_time engine_clock::began_before(cycle_t cycle) const {
    if (cycle >= m_spans.front().first) return begin_of(cycle);
    const span* s = &m_over.back();
    while (s->first > cycle && s != m_over.data()) --s;
    return sc_core::sc_time::from_value(s->begin + (cycle - s->first) * s->period);
}

void engine_clock::serialize(archive& a) {
    a(m_spans);
}

}  // namespace sare
