// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sare::cli {
namespace {

using verdict = saturation_sample::verdict;

constexpr std::uint32_t times_longer = 4, longest = 16;
constexpr double low_part = 100;                          ///< the lowest load is a hundredth of the limit
constexpr double tail_probability = 0.05;                 ///< on either side of the bracket
constexpr double for_length_1 = 0.3, for_length_4 = 0.1;  ///< bracket widths above which shorter runs do
constexpr double open_round = 0.01;  ///< no load so near (relatively) to an unsettled one is tried

constexpr double load_step = 0.001;  ///< step of the logarithm of loads
constexpr int load_steps = 6908;     ///< steps down to a thousandth
constexpr double by_chance = 0.005;  ///< probability of a wrong verdict, however far the load is
struct weighted {
    double value, weight;
};
constexpr weighted likely_spreads[] = {{0.002, 0.5}, {0.006, 0.3}, {0.018, 0.2}},
                   likely_shifts[] = {{0, 0.6}, {0.02, 0.25}, {0.05, 0.15}};

/// Rounds to five digits, in which loads are written and read again.
double rounded(double load) {
    if (load <= 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(load)) - 4);
    return std::round(load / unit) / std::round(1 / unit);
}

}  // namespace

threshold_belief::threshold_belief(double highest) {
    for (int k = load_steps; k >= 0; --k) m_loads.push_back(highest * std::exp(-load_step * k));
    for (const weighted& spread : likely_spreads)
        for (const weighted& shift : likely_shifts) {
            hypothesis h{spread.value, shift.value, {}};
            for (const double load : m_loads) h.weight.push_back(spread.weight * shift.weight * load);
            m_hypotheses.push_back(std::move(h));
        }
}

void threshold_belief::add(const saturation_sample& s) {
    if (s.said == verdict::unsettled) return;
    const double shorter = std::sqrt(static_cast<double>(longest) / s.probe.length);
    double most = 0;
    for (hypothesis& h : m_hypotheses) {
        const double moved =
            std::log1p(h.shift * (shorter - 1) / std::sqrt(longest)) - std::log(s.probe.load);
        for (std::size_t k = 0; k < m_loads.size(); ++k) {
            const double above = (std::log(m_loads[k]) + moved) / (h.spread * shorter);
            const double sustained = by_chance + (1 - 2 * by_chance) / (1 + std::exp(-above));
            h.weight[k] *= s.said == verdict::sustained ? sustained : 1 - sustained;
            most = std::max(most, h.weight[k]);
        }
    }
    for (hypothesis& h : m_hypotheses)
        for (double& w : h.weight) w /= most;
}

double threshold_belief::quantile(double p) const {
    std::vector<double> sums;
    double sum = 0;
    for (std::size_t k = 0; k < m_loads.size(); ++k) {
        for (const hypothesis& h : m_hypotheses) sum += h.weight[k];
        sums.push_back(sum);
    }
    const auto at = std::lower_bound(sums.begin(), sums.end(), p * sum) - sums.begin();
    return m_loads[std::min(static_cast<std::size_t>(at), m_loads.size() - 1)];
}

/// Without a limit half of the likely loads are above those that are tried.
saturation_search::saturation_search(const saturation_goal& goal)
    : m_goal(goal), m_belief(goal.limit > 0 ? goal.limit : 2 * goal.highest) {}

void saturation_search::add(const saturation_sample& s) {
    m_samples.push_back(s);
    m_belief.add(s);
}

double saturation_search::first_load() const {
    return rounded((m_goal.limit > 0 ? m_goal.limit : m_goal.highest) / low_part);
}

/// Returns the load to be tried, not above the limit.
double saturation_search::tried(double load) const {
    return std::min(rounded(load), m_goal.limit > 0 ? m_goal.limit : m_goal.highest);
}

double saturation_search::load_at(double quantile) const {
    return tried(m_belief.quantile(quantile));
}

load_bracket saturation_search::saturation() const {
    const bool open = m_goal.limit <= 0 && m_belief.quantile(1 - tail_probability) > m_goal.highest;
    return {load_at(tail_probability), open ? 0 : load_at(1 - tail_probability)};
}

std::optional<saturation_probe> saturation_search::next() const {
    if (m_samples.size() >= m_goal.most_runs) return std::nullopt;
    if (m_samples.empty()) return saturation_probe{first_load(), 0, 1};
    for (const auto step : {&saturation_search::longer, &saturation_search::nearer,
                            &saturation_search::another_seed, &saturation_search::slower})
        if (const auto p = (this->*step)()) return p;
    return std::nullopt;
}

/// Repeats a run that was too short, longer.
std::optional<saturation_probe> saturation_search::longer() const {
    const saturation_sample& last = m_samples.back();
    if (last.said != verdict::unsettled || last.probe.length >= longest) return std::nullopt;
    return saturation_probe{last.probe.load, last.probe.seed, last.probe.length * times_longer};
}

bool saturation_search::is_free(double load) const {
    return std::none_of(m_samples.begin(), m_samples.end(), [=](const saturation_sample& s) {
        return s.said == verdict::unsettled && s.probe.length >= longest &&
               std::fabs(s.probe.load / load - 1) < open_round;
    });
}

/// Returns a run of the first of these loads that does not waste a run. Long runs have a seed each.
std::optional<saturation_probe> saturation_search::probe_at(const std::vector<double>& loads,
                                                            std::uint32_t length) const {
    std::uint32_t seed = 0;
    if (length > 1 && m_goal.other_seeds)
        for (const saturation_sample& s : m_samples) seed = std::max(seed, s.probe.seed + 1);
    for (const double load : loads)
        if (is_free(load)) return saturation_probe{load, seed, length};
    return std::nullopt;
}

/// Returns a run where the threshold is as likely above as below.
std::optional<saturation_probe> saturation_search::nearer() const {
    const load_bracket b{m_belief.quantile(tail_probability), m_belief.quantile(1 - tail_probability)};
    if (b.width() <= m_goal.tolerance || never_saturates()) return std::nullopt;
    const std::uint32_t length = b.width() > for_length_1   ? 1
                                 : b.width() > for_length_4 ? times_longer
                                                            : longest;
    std::vector<double> loads;
    for (const double q : {0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9, tail_probability, 1 - tail_probability})
        loads.push_back(load_at(q));
    return probe_at(loads, length);
}

/// Returns a run with another seed at an end of the bracket, or as near outside as runs are settled.
std::optional<saturation_probe> saturation_search::another_seed() const {
    if (!m_goal.other_seeds) return std::nullopt;
    const bool below = seeds_below() < 2;
    if (!below && (seeds_above() >= 2 || limit_is_upper_end() || never_saturates())) return std::nullopt;
    std::vector<double> loads;
    for (const double aside : {0.0, 0.015, 0.03, 0.045})
        loads.push_back(tried(below ? load_at(tail_probability) * (1 - aside)
                                    : load_at(1 - tail_probability) * (1 + aside)));
    return probe_at(loads, longest);
}

bool saturation_search::never_saturates() const {
    return m_goal.limit <= 0 &&
           m_belief.quantile(tail_probability) >= m_goal.highest * (1 - m_goal.tolerance);
}

std::size_t saturation_search::seeds(verdict v, double from, double to) const {
    std::set<std::uint32_t> all;
    for (const saturation_sample& s : m_samples)
        if (s.said == v && s.probe.length >= longest && s.probe.load >= from && s.probe.load <= to)
            all.insert(s.probe.seed);
    return all.size();
}

std::size_t saturation_search::seeds_below() const {
    const load_bracket b = saturation();
    return seeds(verdict::sustained, b.low * (1 - widest_bracket), INFINITY);
}

std::size_t saturation_search::seeds_above() const {
    return seeds(verdict::saturated, 0, saturation().high * (1 + widest_bracket));
}

bool saturation_search::limit_is_upper_end() const {
    return m_goal.limit > 0 && saturation().low >= m_goal.limit * (1 - widest_bracket);
}

bool saturation_search::found() const {
    const load_bracket b = saturation();
    return b.high > 0 && b.width() <= widest_bracket && seeds_below() >= 2 &&
           (seeds_above() >= 2 || limit_is_upper_end());
}

std::vector<double> saturation_search::unsettled() const {
    const load_bracket b = saturation();
    std::set<double> all;
    for (const saturation_sample& s : m_samples)
        if (s.probe.load > b.low && (b.high == 0 || s.probe.load < b.high) && !is_free(s.probe.load))
            all.insert(s.probe.load);
    return {all.begin(), all.end()};
}

std::vector<saturation_search::point> saturation_search::curve() const {
    std::map<double, double> all;
    for (const saturation_sample& s : m_samples)
        if (s.said == verdict::sustained || (s.said == verdict::unsettled && s.probe.load == first_load()))
            all[s.probe.load] = s.latency;
    std::vector<point> points;
    for (const auto& [load, latency] : all) points.push_back({load, latency});
    return points;
}

double saturation_search::zero_load_latency() const {
    const auto all = curve();
    return all.empty() || all.front().load > first_load() ? 0 : all.front().latency;
}

std::optional<load_bracket> saturation_search::slow() const {
    const double slow_latency = zero_load_latency() * m_goal.latency_factor;
    if (slow_latency <= 0) return std::nullopt;
    const double end = saturation().high;
    load_bracket b;
    for (const point& p : curve()) {
        if (end > 0 && p.load > end) break;
        b.high = p.load;
        if (p.latency >= slow_latency) return b;
        b.low = p.load;
    }
    return std::nullopt;
}

/// Interpolates on a line through the inverse latencies, which bend little towards saturation.
double saturation_search::slow_load() const {
    const auto b = slow();
    if (!b) return 0;
    double low = 0, high = 0;
    for (const point& p : curve()) {
        if (p.load == b->low) low = 1 / p.latency;
        if (p.load == b->high) high = 1 / p.latency;
    }
    const double wanted = 1 / (zero_load_latency() * m_goal.latency_factor);
    if (low <= high) return b->high;
    return b->low + (b->high - b->low) * (low - wanted) / (low - high);
}

/// Returns a run beside the interpolated load, where it narrows the bracket from the farther end.
std::optional<saturation_probe> saturation_search::slower() const {
    const auto b = slow();
    if (!b || b->width() <= m_goal.tolerance) return std::nullopt;
    const double guess = slow_load(), aside = 0.4 * m_goal.tolerance * guess;
    const double beside = b->high - guess > guess - b->low ? guess + aside : guess - aside;
    const double margin = (b->high - b->low) / 10;
    const double load = rounded(std::clamp(beside, b->low + margin, b->high - margin));
    for (const auto& s : m_samples)
        if (s.probe.load == load) return std::nullopt;
    return saturation_probe{load, 0, 1};
}

}  // namespace sare::cli
