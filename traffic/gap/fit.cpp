// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/fit.h"

#include "tlm/config/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace sare::traffic {
namespace {

using gap_list = std::vector<double>;
using distribution = std::function<double(double)>;  ///< P(gap <= x)

double mean_gap(const gap_list& gaps) {
    double sum = 0;
    for (const double g : gaps) sum += g;
    return sum / static_cast<double>(gaps.size());
}

/// Returns the probability, by Kolmogorov's limit law, that the distance of n samples is at least d.
double chance_of(double d, std::size_t n) {
    const double root = std::sqrt(static_cast<double>(n)), x = d * (root + 0.12 + 0.11 / root);
    if (x < 0.2) return 1;
    double sum = 0;
    for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
    return std::clamp(sum, 0.0, 1.0);
}

fitted_gaps judged(const std::string& name, const std::vector<std::pair<std::string, double>>& parameters,
                   const gap_list& gaps, const distribution& law) {
    fitted_gaps f;
    f.name = name;
    f.section = "{name: " + name;
    for (const auto& [key, x] : parameters) f.section += ", " + key + ": " + config::number_text(x);
    f.section += "}";
    const auto n = static_cast<double>(gaps.size());
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        const double p = law(gaps[i]), rank = static_cast<double>(i);
        f.distance = std::max({f.distance, p - rank / n, (rank + 1) / n - p});
    }
    f.chance = chance_of(f.distance, gaps.size());
    return f;
}

/// Returns the shape k of the likeliest Weibull law, at which sum(x^k ln x) / sum(x^k) - 1/k = mean(ln x).
double weibull_shape(const gap_list& gaps, double longest) {
    double logs = 0;
    for (const double g : gaps) logs += std::log(g / longest);
    logs /= static_cast<double>(gaps.size());
    double low = 0.1, high = 100;
    for (int step = 0; step < 100; ++step) {
        const double k = std::sqrt(low * high);
        double weights = 0, sum = 0;
        for (const double g : gaps) {
            const double w = std::pow(g / longest, k);
            weights += w;
            sum += w * std::log(g / longest);
        }
        (sum / weights - 1 / k < logs ? low : high) = k;
    }
    return std::sqrt(low * high);
}

fitted_gaps fit_exponential(const gap_list& gaps) {
    const double mean = mean_gap(gaps);
    return judged("exponential", {{"mean", mean}}, gaps, [=](double x) { return 1 - std::exp(-x / mean); });
}

fitted_gaps fit_weibull(const gap_list& gaps) {
    const double longest = gaps.back(), k = weibull_shape(gaps, longest);
    double sum = 0;
    for (const double g : gaps) sum += std::pow(g / longest, k);
    const double scale = longest * std::pow(sum / static_cast<double>(gaps.size()), 1 / k);
    return judged("weibull", {{"scale", scale}, {"shape", k}}, gaps,
                  [=](double x) { return 1 - std::exp(-std::pow(x / scale, k)); });
}

/// Fits Pareto's law; nothing if the shape is below what the workload's parameters allow.
std::optional<fitted_gaps> fit_pareto(const gap_list& gaps) {
    const double least = gaps.front();
    double logs = 0;
    for (const double g : gaps) logs += std::log(g / least);
    const double shape = static_cast<double>(gaps.size()) / logs;
    if (shape < 1.01) return {};
    return judged("pareto", {{"least", least}, {"shape", shape}}, gaps,
                  [=](double x) { return 1 - std::pow(least / x, shape); });
}

}  // namespace

std::vector<fitted_gaps> fit_gaps(std::vector<double> gaps) {
    gaps.erase(std::remove_if(gaps.begin(), gaps.end(), [](double g) { return !(g > 0); }), gaps.end());
    std::sort(gaps.begin(), gaps.end());
    if (gaps.size() < 2 || gaps.front() == gaps.back()) return {};
    std::vector<fitted_gaps> all{fit_exponential(gaps), fit_weibull(gaps)};
    if (const auto pareto = fit_pareto(gaps)) all.push_back(*pareto);
    std::sort(all.begin(), all.end(),
              [](const fitted_gaps& a, const fitted_gaps& b) { return a.distance < b.distance; });
    return all;
}

std::string gap_weights(std::vector<double> gaps, std::size_t most) {
    std::sort(gaps.begin(), gaps.end());
    std::map<std::uint64_t, std::size_t> weights;
    for (std::size_t k = 0; k < most; ++k) {
        const std::size_t from = gaps.size() * k / most, to = gaps.size() * (k + 1) / most;
        double sum = 0;
        for (std::size_t i = from; i < to; ++i) sum += gaps[i];
        if (to > from)
            weights[static_cast<std::uint64_t>(sum / static_cast<double>(to - from) + 0.5)] += to - from;
    }
    std::string text = "# gap (cycles), weight\n";
    for (const auto& [gap, weight] : weights) text += fmt::format("{} {}\n", gap, weight);
    return text;
}

}  // namespace sare::traffic
