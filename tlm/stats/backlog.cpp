// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/backlog.h"

#include "tlm/api/counted_network.h"
#include "tlm/api/own_traffic.h"
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

/// Leaves classes that are beyond `errors`, or the one that is nearest.
void keep_growing(std::vector<source_backlogs::class_rate>& classes, double errors) {
    if (classes.empty()) return;
    double most = 0;
    for (const auto& c : classes) most = std::max(most, c.errors);
    const double bound = std::min(most, errors);
    classes.erase(
        std::remove_if(classes.begin(), classes.end(), [bound](const auto& c) { return c.errors < bound; }),
        classes.end());
}

}  // namespace

void source_backlogs::source::note(std::uint64_t now_offered, std::uint64_t now_waiting, double length) {
    const double change = static_cast<double>(now_waiting) - static_cast<double>(waiting);
    squares += change * change / length;
    offered = now_offered;
    waiting = now_waiting;
    window_least = std::min(window_least, waiting);
    window_sum += waiting;
}

void source_backlogs::source::start_window() {
    window_offered = offered;
    window_waiting = window_least = window_sum = waiting;
}

source_backlogs::source& source_backlogs::source::operator+=(const source& other) {
    offered += other.offered;
    waiting += other.waiting;
    window_offered += other.window_offered;
    window_waiting += other.window_waiting;
    window_least += other.window_least;
    window_sum += other.window_sum;
    squares += other.squares;
    return *this;
}

void source_backlogs::injected(std::uint32_t node, std::uint32_t message_class, std::uint32_t flits) {
    m_injected[std::size_t{node} * m_classes + message_class] += flits;
}

void source_backlogs::note(cycle_t now, const counted_network& net, const workload& w) {
    if (now <= m_now) return;
    const auto length = static_cast<double>(now - m_now);
    const auto* const own = dynamic_cast<const own_traffic*>(&w);
    m_sources.resize(net.nodes());
    m_by_class.resize(m_injected.size());
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        const node_counts counts = net.counts_of(n);
        const std::uint64_t waiting = counts.waiting.flits + backlog_at(w, n).flits;
        const std::uint64_t gone = counts.injected_flits + counts.unsent.flits;
        m_sources[n].note(own == nullptr ? gone + waiting : own->made(n).flits, waiting, length);
        for (std::uint32_t c = 0; c < m_classes && m_classes > 1; ++c) {
            const std::size_t k = std::size_t{n} * m_classes + c;
            const std::uint64_t of_class = net.waiting_of(n, c).flits + w.backlog_of(n, c).flits;
            const std::uint64_t gone_of_class = m_injected[k] + net.unsent_of(n, c).flits;
            m_by_class[k].note(own == nullptr ? gone_of_class + of_class : own->made_of(n, c).flits, of_class,
                               length);
        }
    }
    m_now = now;
    ++m_intervals;
    ++m_window_intervals;
}

void source_backlogs::start_window() {
    m_window_start = m_now;
    m_window_intervals = 0;
    for (source& s : m_sources) s.start_window();
    for (source& s : m_by_class) s.start_window();
}

double source_backlogs::variance(const source& s, double message_flits) const {
    const auto cycles = static_cast<double>(m_now), backlog = static_cast<double>(s.waiting);
    const double at_random = static_cast<double>(s.offered) / cycles * message_flits;
    if (m_intervals < 2) return at_random;
    const double seen = (s.squares - backlog * backlog / cycles) / static_cast<double>(m_intervals - 1);
    return std::max(at_random, seen);
}

/// What waits at the beginning of the window and the ends of its intervals is a queue that takes longer than
/// the window to forget. What never goes away is none.
bool source_backlogs::is_slow(const source& s, double message_flits) const {
    const double mean = static_cast<double>(s.window_sum) / static_cast<double>(m_window_intervals + 1),
                 window = static_cast<double>(m_now - m_window_start);
    return mean - static_cast<double>(s.window_least) > std::sqrt(variance(s, message_flits) * window) / 2;
}

source_backlogs::rate source_backlogs::rate_of(const source& s, double message_flits) const {
    const auto window = static_cast<double>(m_now - m_window_start);
    const auto offered = static_cast<double>(s.offered - s.window_offered),
               grown = static_cast<double>(s.waiting) - static_cast<double>(s.window_waiting);
    const double spread = variance(s, message_flits);
    rate r{offered / window, (offered - grown) / window, std::sqrt(spread / window), 0};
    const auto waiting = static_cast<double>(s.waiting), all = static_cast<double>(s.offered);
    const bool grows = grown > least_share * offered;
    if (grows) r.errors = waiting / std::sqrt(spread * static_cast<double>(m_now));
    const bool large =
        grows && waiting > large_share * all && waiting > random_errors * std::sqrt(all * message_flits);
    if (large || is_slow(s, message_flits))
        r.errors = std::max(r.errors, std::nextafter(doubtful_errors, 2.0));
    return r;
}

/// Of the source or of one of its classes, whichever has more errors: a class can starve beside others.
source_backlogs::growth source_backlogs::growth_of(std::uint32_t node, double message_flits) const {
    growth g{rate_of(m_sources[node], message_flits), node, {}};
    for (std::uint32_t c = 0; c < m_classes && m_classes > 1; ++c) {
        const source& s = m_by_class[std::size_t{node} * m_classes + c];
        if (s.offered != 0) g.classes.push_back({rate_of(s, message_flits), c});
    }
    for (const class_rate& c : g.classes) g.errors = std::max(g.errors, c.errors);
    return g;
}

source_backlogs::trend source_backlogs::find_trend(double message_flits) const {
    trend all;
    if (m_now == m_window_start) return all;
    all.sources = static_cast<std::uint32_t>(
        std::count_if(m_sources.begin(), m_sources.end(), [](const source& s) { return s.offered != 0; }));
    if (all.sources == 0) return all;
    const double beyond_chance = std::max(
        doubtful_errors, normal_quantile(chance / static_cast<double>(std::size_t{all.sources} * m_classes)));
    double offered = 0, grown = 0, variances = 0;
    for (std::uint32_t n = 0; n < m_sources.size(); ++n) {
        const source& s = m_sources[n];
        if (s.offered == 0) continue;
        offered += static_cast<double>(s.offered - s.window_offered);
        grown += static_cast<double>(s.waiting) - static_cast<double>(s.window_waiting);
        variances += variance(s, message_flits);
        growth g = growth_of(n, message_flits);
        if (g.errors <= doubtful_errors) continue;
        const bool grows = g.errors > beyond_chance;
        keep_growing(g.classes, grows ? beyond_chance : doubtful_errors);
        (grows ? all.growing : all.doubtful).push_back(std::move(g));
    }
    for (std::vector<growth>* some : {&all.growing, &all.doubtful})
        std::stable_sort(some->begin(), some->end(), [](const growth& a, const growth& b) {
            return a.offered - a.sent > b.offered - b.sent;
        });
    const double error = std::sqrt(variances * static_cast<double>(m_now - m_window_start));
    all.all_together = grown > least_share * offered && grown > normal_quantile(chance) * error;
    return all;
}

void source_backlogs::add(const source_backlogs& other) {
    const auto add_each = [](auto& sum, const auto& more) {
        sum.resize(std::max(sum.size(), more.size()));
        for (std::size_t k = 0; k < more.size(); ++k) sum[k] += more[k];
    };
    add_each(m_sources, other.m_sources);
    add_each(m_by_class, other.m_by_class);
    add_each(m_injected, other.m_injected);
}

void source_backlogs::serialize(archive& a) {
    a(m_sources, m_by_class, m_injected, m_now, m_window_start, m_intervals, m_window_intervals);
}

}  // namespace sare
