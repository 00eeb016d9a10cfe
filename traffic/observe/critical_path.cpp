// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/critical_path.h"

#include <algorithm>

namespace sare::traffic {

/// Notes a message, which is the end, too, if nothing happens later: a program lasts until its last one.
void critical_path::message_came(const path_segment& way, cycle_t first, turn when) {
    m_cause = {way.before, way, true};
    if (way.end <= std::max(m_last.at, first)) return;
    m_last = {way.end, m_cause, when, false, m_rank};
}

void critical_path::spends(std::uint32_t strand, path_segment span) {
    if (span.end == span.begin) return;
    span.before = way_of(strand);
    span.rank = m_rank;
    way_of(strand) = m_spans.front().append(span);
}

std::uint64_t critical_path::cause() {
    if (m_cause.has) m_cause = {m_spans.front().append(m_cause.pending), {}, false};
    return m_cause.way;
}

void critical_path::finished(cycle_t now, turn when) {
    if (now >= m_last.at) m_last = {now, m_cause, when, true, m_rank};
}

void critical_path::gather(world& all, const ending& last) {
    m_spans = gather_records(all, m_spans.front());
    m_last = last;
}

std::vector<path_segment> critical_path::result() const {
    std::vector<path_segment> all;
    std::uint64_t before = m_last.what.way;
    std::uint16_t rank = m_last.rank;
    const auto add = [&](const path_segment& s) {
        all.push_back(s);
        before = s.before;
        rank = s.rank;
    };
    if (m_last.what.has) add(m_last.what.pending);
    while (before != path_segment::none) add(m_spans[rank].at(before));
    std::reverse(all.begin(), all.end());
    return all;
}

}  // namespace sare::traffic
