// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/clock/running_clock.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {

const running_clock& running_clock::of_network() {
    static const running_clock its{clock_ratio()};
    return its;
}

void running_clock::change(cycle_t t, const clock_ratio& ratio, std::uint32_t level) {
    const span last = m_spans.back();
    const cycle_t edge = first_edge(t), after = edge - last.edge;
    const cycle_t whole =
        last.begin + (after * last.ratio.cycles() + last.ratio.edges() - 1) / last.ratio.edges();
    if (ratio == last.ratio && m_limits.stop == 0)
        m_spans.push_back({whole, last.begin, last.edge, ratio, level});
    else
        m_spans.push_back({whole, whole + m_limits.stop, edge, ratio, level});
}

/// Returns the edge with which the span after `s` begins; ~0: none, or the edges go on as they were.
cycle_t running_clock::end_of(const span& s) const {
    const span* const next = &s + 1;
    return &s == &m_spans.back() || next->begin < next->from ? ~cycle_t{0} : next->edge;
}

/// Looks from the end, where runs are.
const running_clock::span& running_clock::span_at(cycle_t t) const {
    return *std::find_if(m_spans.rbegin(), m_spans.rend() - 1, [t](const span& s) { return s.from <= t; });
}

const running_clock::span& running_clock::span_of_edge(cycle_t k) const {
    return *std::find_if(m_spans.rbegin(), m_spans.rend() - 1, [k](const span& s) { return s.edge <= k; });
}

cycle_t running_clock::first_edge_changing(cycle_t t) const {
    const span& s = span_at(t);
    const cycle_t k = t <= s.begin ? s.edge : s.edge + s.ratio.first_edge(t - s.begin);
    return std::min(k, end_of(s));
}

cycle_t running_clock::first_edge(const running_clock& other, cycle_t k) const {
    __extension__ typedef unsigned __int128 wide;
    const span& theirs = other.span_of_edge(k);
    const cycle_t edges = (k - theirs.edge) * theirs.ratio.cycles();
    // The edge of the other clock comes `rest` / theirs.ratio.edges() cycles after the begin of `whole`.
    const cycle_t whole = theirs.begin + edges / theirs.ratio.edges(), rest = edges % theirs.ratio.edges();
    const span& s = span_at(whole);
    const cycle_t last = end_of(s);
    if (whole < s.begin) return std::min(s.edge, last);
    const wide time = wide{whole - s.begin} * theirs.ratio.edges() + rest;
    const wide each = wide{s.ratio.cycles()} * theirs.ratio.edges();
    return std::min(s.edge + static_cast<cycle_t>((time * s.ratio.edges() + each - 1) / each), last);
}

cycle_t running_clock::most_cycles_of(cycle_t n) const {
    const clock_ratio& slow = m_limits.slowest;
    const cycle_t cycles = (n * slow.cycles() + slow.edges() - 1) / slow.edges();
    // A change costs the stop and less than a cycle, and changes are least_gap() apart.
    return m_changes ? (cycles + m_limits.stop + 1) * 4 / 3 + 1 : cycles;
}

std::vector<std::pair<cycle_t, cycle_t>> running_clock::stops(cycle_t from, cycle_t to) const {
    std::vector<std::pair<cycle_t, cycle_t>> all;
    for (const span& s : m_spans)
        if (const cycle_t first = std::max(s.from, from), end = std::min(s.begin, to); first < end)
            all.emplace_back(first, end);
    return all;
}

cycle_t running_clock::cycles_stopped(cycle_t from, cycle_t to) const {
    cycle_t all = 0;
    for (const auto& [first, end] : stops(from, to)) all += end - first;
    return all;
}

std::string running_clock::text() const {
    std::string all;
    for (const span& s : m_spans)
        all += (all.empty() ? "" : fmt::format(", from cycle {} ", s.from)) + s.ratio.text();
    return all;
}

}  // namespace sare
