// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// Search for the load at which a network saturates: chooses loads to run, and draws conclusions. It knows
/// nothing of networks: docs/saturation.md describes the method.
namespace sare::cli {

constexpr double widest_bracket = 0.05;  ///< relative width; a wider bracket has no headline figure

struct saturation_goal {
    double limit = 0;           ///< highest load that may be sustained; 0: unknown
    double tolerance = 0.02;    ///< relative width of the bracket at which the search ends
    double latency_factor = 2;  ///< in multiples of the latency without load
    bool other_seeds = true;    ///< true: a run with another seed has the same traffic
    std::uint32_t most_runs = 24;
};

/// A run that is wanted.
struct saturation_probe {
    double load = 0;
    std::uint32_t seed = 0;    ///< relative to the experiment's seed
    std::uint32_t length = 1;  ///< multiple of the experiment's length
};

struct saturation_sample {
    enum class verdict : std::uint8_t { sustained, saturated, unsettled };
    saturation_probe probe;
    verdict said = verdict::unsettled;
    double latency = 0;  ///< mean; meaningless if it is saturated
};

/// An interval of loads that contains what is looked for.
struct load_bracket {
    double low = 0, high = 0;
    double width() const { return high > 0 ? (high - low) / high : 0; }
};

/// Probability of each load to be the threshold, by the runs so far: a Bayesian fit. A run is sustained with
/// a probability that is a logistic law of the logarithm of its load. Short runs blur the threshold and may
/// move it up; by how much is fitted as well.
class threshold_belief {
  public:
    explicit threshold_belief(double highest);
    void add(const saturation_sample& s);
    /// Returns the load below which the threshold is with probability `p`.
    double quantile(double p) const;

  private:
    struct hypothesis {
        double spread;               ///< relative width of the law, in the longest runs
        double shift;                ///< relative rise of the threshold in much shorter runs
        std::vector<double> weight;  ///< by load
    };
    std::vector<double> m_loads;  ///< in equal steps of the logarithm
    std::vector<hypothesis> m_hypotheses;
};

class saturation_search {
  public:
    explicit saturation_search(const saturation_goal& goal);

    /// Returns the next run; nothing if all is known, or most_runs are made. It depends only on the samples.
    std::optional<saturation_probe> next() const;
    void add(const saturation_sample& s);

    const std::vector<saturation_sample>& samples() const { return m_samples; }
    /// Bracket that contains the threshold with probability 0.9. `high` is 0 if the highest load that is
    /// tried is sustained and there is no limit.
    load_bracket saturation() const;
    /// Median of the threshold.
    double load() const { return load_at(0.5); }
    /// True if the bracket is narrow enough for a headline, with two seeds at either end; a limit that is as
    /// near stands for the upper end.
    bool found() const;
    /// Number of seeds of which the longest runs sustained a load at the lower end of the bracket or above,
    /// and of those that saturated at the upper end or below; either end give or take widest_bracket.
    std::size_t seeds_below() const;
    std::size_t seeds_above() const;
    bool limit_is_upper_end() const;
    /// True if the highest load that is tried without a limit is sustained.
    bool never_saturates() const;
    /// Loads in the bracket that the longest runs did not settle.
    std::vector<double> unsettled() const;
    /// Latency at the lowest load; 0: unknown.
    double zero_load_latency() const;
    /// Bracket of the load with latency_factor times that latency; nothing if saturation comes first.
    std::optional<load_bracket> slow() const;
    /// Load at which the latency is latency_factor times that, interpolated in its bracket.
    double slow_load() const;

  private:
    struct point {
        double load, latency;
    };
    std::vector<point> curve() const;  ///< sustained samples, by ascending load
    double first_load() const;
    double tried(double load) const;
    double load_at(double quantile) const;
    std::size_t seeds(saturation_sample::verdict v, double from, double to) const;
    bool is_free(double load) const;
    std::optional<saturation_probe> longer() const;
    std::optional<saturation_probe> nearer() const;
    std::optional<saturation_probe> another_seed() const;
    std::optional<saturation_probe> slower() const;
    std::optional<saturation_probe> probe_at(const std::vector<double>& loads, std::uint32_t length) const;

    saturation_goal m_goal;
    std::vector<saturation_sample> m_samples;
    threshold_belief m_belief;
};

}  // namespace sare::cli
