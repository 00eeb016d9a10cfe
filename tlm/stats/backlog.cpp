// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/backlog.h"

#include "tlm/api/counted_network.h"
#include "tlm/state/archive.h"

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

constexpr double least_share = 0.01;       ///< of what is offered: less growth than that is none
constexpr double chance = 0.01;            ///< that any source at all seems to grow, though none does
constexpr double doubtful_errors = 1.645;  ///< one chance in twenty
/// A backlog of more than this share of all that was ever offered, and beyond messages at random by so many
/// errors, is too much to be called steady, even where what is sent comes in long bursts.
constexpr double large_share = 0.03, random_errors = 3;

/// What a normal variable exceeds with probability p, 0 < p < 0.5: by bisection.
double normal_quantile(double p) {
    double low = 0, high = 40;
    for (int n = 0; n < 60; ++n) {
        const double middle = (low + high) / 2;
        (0.5 * std::erfc(middle / std::sqrt(2.0)) > p ? low : high) = middle;
    }
    return low;
}

}  // namespace

void source_backlogs::note(cycle_t now, const counted_network& net, const workload& w) {
    if (now <= m_now) return;
    const auto length = static_cast<double>(now - m_now);
    m_sources.resize(net.nodes());
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        source& s = m_sources[n];
        const node_counts counts = net.counts_of(n);
        const std::uint64_t waiting = counts.waiting.flits + w.backlog(n).flits;
        const double change = static_cast<double>(waiting) - static_cast<double>(s.waiting);
        s.squares += change * change / length;
        s.waiting = waiting;
        s.offered = counts.injected_flits + waiting;
    }
    m_now = now;
    ++m_intervals;
}

void source_backlogs::start_window() {
    m_window_start = m_now;
    for (source& s : m_sources) {
        s.window_offered = s.offered;
        s.window_waiting = s.waiting;
    }
}

double source_backlogs::variance(const source& s, double message_flits) const {
    const auto cycles = static_cast<double>(m_now), backlog = static_cast<double>(s.waiting);
    const double at_random = static_cast<double>(s.offered) / cycles * message_flits;
    if (m_intervals < 2) return at_random;
    const double seen = (s.squares - backlog * backlog / cycles) / static_cast<double>(m_intervals - 1);
    return std::max(at_random, seen);
}

source_backlogs::growth source_backlogs::growth_of(std::uint32_t node, double message_flits) const {
    const source& s = m_sources[node];
    const auto window = static_cast<double>(m_now - m_window_start);
    const auto offered = static_cast<double>(s.offered - s.window_offered),
               grown = static_cast<double>(s.waiting) - static_cast<double>(s.window_waiting);
    growth g{node, offered / window, (offered - grown) / window, 0};
    if (grown <= least_share * offered) return g;
    const auto waiting = static_cast<double>(s.waiting), all = static_cast<double>(s.offered);
    g.errors = waiting / std::sqrt(variance(s, message_flits) * static_cast<double>(m_now));
    if (waiting > large_share * all && waiting > random_errors * std::sqrt(all * message_flits))
        g.errors = std::max(g.errors, std::nextafter(doubtful_errors, 2.0));
    return g;
}

source_backlogs::trend source_backlogs::find_trend(double message_flits) const {
    trend all;
    if (m_now == m_window_start) return all;
    double offered = 0, grown = 0, variances = 0;
    std::vector<growth> each;
    for (std::uint32_t n = 0; n < m_sources.size(); ++n) {
        const source& s = m_sources[n];
        if (s.offered == 0) continue;
        each.push_back(growth_of(n, message_flits));
        offered += static_cast<double>(s.offered - s.window_offered);
        grown += static_cast<double>(s.waiting) - static_cast<double>(s.window_waiting);
        variances += variance(s, message_flits);
    }
    all.sources = static_cast<std::uint32_t>(each.size());
    if (each.empty()) return all;
    const double beyond_chance = normal_quantile(chance / static_cast<double>(each.size()));
    for (const growth& g : each)
        if (g.errors > doubtful_errors) (g.errors > beyond_chance ? all.growing : all.doubtful).push_back(g);
    for (std::vector<growth>* some : {&all.growing, &all.doubtful})
        std::stable_sort(some->begin(), some->end(), [](const growth& a, const growth& b) {
            return a.offered - a.sent > b.offered - b.sent;
        });
    const double error = std::sqrt(variances * static_cast<double>(m_now - m_window_start));
    all.all_together = grown > least_share * offered && grown > normal_quantile(chance) * error;
    return all;
}

void source_backlogs::add(const source_backlogs& other) {
    m_sources.resize(std::max(m_sources.size(), other.m_sources.size()));
    for (std::size_t n = 0; n < other.m_sources.size(); ++n) {
        const source& o = other.m_sources[n];
        source& s = m_sources[n];
        s.offered += o.offered;
        s.waiting += o.waiting;
        s.window_offered += o.window_offered;
        s.window_waiting += o.window_waiting;
        s.squares += o.squares;
    }
}

void source_backlogs::serialize(archive& a) {
    a(m_sources, m_now, m_window_start, m_intervals);
}

}  // namespace sare
