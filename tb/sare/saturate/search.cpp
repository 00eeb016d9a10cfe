// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/search.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sare::cli {
namespace {

using verdict = saturation_sample::verdict;

constexpr std::uint32_t times_longer = 4, longest = 16;
constexpr double unknown_limit = 1;  ///< flits/node/cycle: the highest load that is tried without a bound
constexpr double low_part = 100;     ///< the latency without load is that at a hundredth of the limit

/// To five digits, as they are read and written again.
double rounded(double load) {
    if (load <= 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(load)) - 4);
    return std::round(load / unit) / std::round(1 / unit);
}

}  // namespace

double saturation_search::first_load() const {
    return rounded((m_goal.limit > 0 ? m_goal.limit : unknown_limit) / low_part);
}

std::vector<saturation_search::level> saturation_search::levels() const {
    std::map<double, std::map<std::uint32_t, saturation_sample>> by_load;  // the longest of each seed
    for (const auto& s : m_samples) by_load[s.probe.load][s.probe.seed] = s;
    std::vector<level> all;
    for (const auto& [load, seeds] : by_load) {
        std::uint32_t most = 0;  // the longest of those that say something
        for (const auto& [seed, s] : seeds)
            if (s.said != verdict::unsettled) most = std::max(most, s.probe.length);
        const auto count = [&seeds = seeds](verdict v, std::uint32_t least) {
            return std::count_if(seeds.begin(), seeds.end(), [=](const auto& s) {
                return s.second.said == v && s.second.probe.length >= least;
            });
        };
        const bool sustained = count(verdict::sustained, most) > 0,
                   saturated = count(verdict::saturated, most) > 0;
        const state is = sustained == saturated ? state::open
                         : sustained            ? state::sustained
                                                : state::saturated;
        const bool agreed = std::max(count(verdict::sustained, 0), count(verdict::saturated, 0)) > 1;
        all.push_back({load, is, seeds.begin()->second.latency, agreed});
    }
    return all;
}

load_bracket saturation_search::saturation() const {
    load_bracket b{0, m_goal.limit};
    const auto all = levels();
    for (const level& l : all)
        if (l.is == state::saturated && (b.high == 0 || l.load < b.high)) b.high = l.load;
    for (const level& l : all)
        if (l.is == state::sustained && (b.high == 0 || l.load < b.high)) b.low = l.load;
    return b;
}

std::optional<saturation_probe> saturation_search::next() const {
    if (m_samples.size() >= m_goal.most_runs) return std::nullopt;
    if (m_samples.empty()) return saturation_probe{first_load(), 0, 1};
    for (const auto step : {&saturation_search::longer, &saturation_search::nearer, &saturation_search::again,
                            &saturation_search::slower})
        if (const auto p = (this->*step)()) return p;
    return std::nullopt;
}

/// Where some were too short, those that follow begin longer: they are nearer to saturation.
std::uint32_t saturation_search::usual_length() const {
    std::uint32_t most = 1;
    for (const auto& s : m_samples) most = std::max(most, s.probe.length);
    return std::max(most / times_longer, 1U);
}

/// What was too short, again; but only where it matters still.
std::optional<saturation_probe> saturation_search::longer() const {
    const saturation_sample& last = m_samples.back();
    if (last.said != verdict::unsettled || last.probe.length >= longest) return std::nullopt;
    return saturation_probe{last.probe.load, last.probe.seed, last.probe.length * times_longer};
}

/// The middle of the widest gap that is left in the bracket.
std::optional<saturation_probe> saturation_search::nearer() const {
    const load_bracket b = saturation();
    if (b.high == 0) {
        if (levels().back().load >= unknown_limit) return std::nullopt;
        return saturation_probe{unknown_limit, 0, 1};
    }
    double from = b.low, before = b.low, width = 0;
    const auto gap = [&](double to) {
        if (to - before > width) {
            width = to - before;
            from = before;
        }
        before = to;
    };
    for (const level& l : levels())
        if (l.load > b.low && l.load < b.high) gap(l.load);
    gap(b.high);
    if (width <= m_goal.tolerance * b.high) return std::nullopt;
    return saturation_probe{rounded(from + width / 2), 0, usual_length()};
}

bool saturation_search::repeated(double load) const {
    return std::any_of(m_samples.begin(), m_samples.end(),
                       [=](const saturation_sample& s) { return s.probe.load == load && s.probe.seed == 1; });
}

/// The ends of the bracket, by another seed and longer.
std::optional<saturation_probe> saturation_search::again() const {
    if (!m_goal.other_seed) return std::nullopt;
    const load_bracket b = saturation();
    for (const level& l : levels())
        if ((l.load == b.low || l.load == b.high) && l.is != state::open && !l.confirmed && !repeated(l.load))
            return saturation_probe{l.load, 1, std::max(usual_length(), times_longer)};
    return std::nullopt;
}

std::optional<saturation_probe> saturation_search::slower() const {
    const auto b = slow();
    if (!b || b->high - b->low <= m_goal.tolerance * b->high) return std::nullopt;
    const double margin = (b->high - b->low) / 10;
    const double load = rounded(std::clamp(slow_load(), b->low + margin, b->high - margin));
    for (const auto& s : m_samples)
        if (s.probe.load == load) return std::nullopt;
    return saturation_probe{load, 0, 1};
}

bool saturation_search::within_tolerance() const {
    const load_bracket b = saturation();
    return b.high > 0 && b.high - b.low <= m_goal.tolerance * b.high * (1 + 1e-9);
}

std::vector<double> saturation_search::disputed() const {
    const load_bracket b = saturation();
    std::vector<double> all;
    for (const auto& s : m_samples)
        for (const auto& t : m_samples)
            if (s.probe.load == t.probe.load && s.probe.length == t.probe.length &&
                s.said == verdict::sustained && t.said == verdict::saturated && s.probe.load > b.low &&
                s.probe.load < b.high)
                all.push_back(s.probe.load);
    return all;
}

bool saturation_search::confirmed_at(double load) const {
    const auto all = levels();
    return std::any_of(all.begin(), all.end(), [=](const level& l) { return l.load == load && l.confirmed; });
}

double saturation_search::zero_load_latency() const {
    const auto all = levels();
    return all.empty() || all.front().is == state::saturated ? 0 : all.front().latency;
}

std::optional<load_bracket> saturation_search::slow() const {
    const double slow_latency = zero_load_latency() * m_goal.latency_factor;
    const load_bracket within = saturation();
    load_bracket b;
    for (const level& l : levels()) {
        if (l.load > within.low || l.is == state::saturated) break;
        b.high = l.load;
        if (l.latency >= slow_latency) return b;
        b.low = l.load;
    }
    return std::nullopt;
}

/// On a line through the inverse latencies, which bend little towards saturation.
double saturation_search::slow_load() const {
    const auto b = slow();
    if (!b) return 0;
    double low = 0, high = 0;
    for (const level& l : levels()) {
        if (l.load == b->low) low = 1 / l.latency;
        if (l.load == b->high) high = 1 / l.latency;
    }
    const double wanted = 1 / (zero_load_latency() * m_goal.latency_factor);
    if (low <= high) return b->high;
    return b->low + (b->high - b->low) * (low - wanted) / (low - high);
}

}  // namespace sare::cli
