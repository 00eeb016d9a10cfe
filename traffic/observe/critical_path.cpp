// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/critical_path.h"

#include <algorithm>

namespace sare::traffic {

/// It is the end, too, if nothing else happens later: a program lasts until its last message has come.
void critical_path::message_came(const path_segment& way, cycle_t first) {
    m_cause = {way.before, way, true};
    if (way.end <= std::max(m_end, first)) return;
    m_last = m_cause;
    m_end = way.end;
}

void critical_path::spends(std::uint32_t strand, path_segment span) {
    if (span.end == span.begin) return;
    span.before = way_of(strand);
    way_of(strand) = m_spans.append(span);
}

std::uint64_t critical_path::cause() {
    if (m_cause.has) m_cause = {m_spans.append(m_cause.pending), {}, false};
    return m_cause.way;
}

void critical_path::finished(cycle_t now) {
    if (now < m_end) return;
    m_last = m_cause;
    m_end = now;
}

std::vector<path_segment> critical_path::result() const {
    std::vector<path_segment> all;
    if (m_last.has) all.push_back(m_last.pending);
    for (std::uint64_t k = m_last.way; k != path_segment::none; k = all.back().before)
        all.push_back(m_spans.at(k));
    std::reverse(all.begin(), all.end());
    return all;
}

}  // namespace sare::traffic
