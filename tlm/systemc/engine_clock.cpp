// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/engine_clock.h"

#include "tlm/state/archive.h"

namespace sare {

void engine_clock::change(cycle_t first, const sc_core::sc_time& period, const sc_core::sc_time& now) {
    const std::uint64_t begin = begin_of(first).value();
    while (m_spans.back().first >= first) m_spans.pop_back();
    m_spans.push_back({first, begin, period.value()});
    const span* const present = &span_of(&span::begin, now.value());
    m_spans.erase(m_spans.begin(), m_spans.begin() + (present - m_spans.data()));
}

void engine_clock::serialize(archive& a) {
    a(m_spans);
}

}  // namespace sare
