// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// The search for the load at which a network saturates: which loads are run, and what follows from them. It
/// knows nothing of networks: docs/saturation.md tells the method.
namespace sare::cli {

constexpr double widest_bracket = 0.05;  ///< relative; a wider one has no headline figure

struct saturation_goal {
    double limit = 0;           ///< no load above it can be sustained; 0: not known
    double tolerance = 0.02;    ///< width of the bracket at which the search ends, relative
    double latency_factor = 2;  ///< times the latency without load
    bool other_seeds = true;    ///< whether a run by another seed has the same traffic
    std::uint32_t most_runs = 24;
};

/// A run that is wanted.
struct saturation_probe {
    double load = 0;
    std::uint32_t seed = 0;    ///< counted from that of the experiment
    std::uint32_t length = 1;  ///< times as long as the experiment says
};

struct saturation_sample {
    enum class verdict : std::uint8_t { sustained, saturated, unsettled };
    saturation_probe probe;
    verdict said = verdict::unsettled;
    double latency = 0;  ///< mean; of no use where it is saturated
};

/// An interval of loads: what is looked for lies in it.
struct load_bracket {
    double low = 0, high = 0;
    double width() const { return high > 0 ? (high - low) / high : 0; }
};

/// How likely each load is to be the threshold, by the runs so far: a Bayesian fit. A run of length n is
/// sustained by a logistic law of the logarithm of its load. Short runs blur the threshold and may move it
/// up, by how much is fitted as well.
class threshold_belief {
  public:
    explicit threshold_belief(double highest);
    void add(const saturation_sample& s);
    /// The load that the threshold is below with probability `p`.
    double quantile(double p) const;

  private:
    struct hypothesis {
        double spread;               ///< relative width of the law, in the longest runs
        double shift;                ///< how much higher the threshold of much shorter runs is
        std::vector<double> weight;  ///< by load
    };
    std::vector<double> m_loads;  ///< in equal steps of the logarithm
    std::vector<hypothesis> m_hypotheses;
};

class saturation_search {
  public:
    explicit saturation_search(const saturation_goal& goal);

    /// The next run; nothing when all is known, or most_runs are made. It depends on the samples alone.
    std::optional<saturation_probe> next() const;
    void add(const saturation_sample& s);

    const std::vector<saturation_sample>& samples() const { return m_samples; }
    /// The threshold lies in it with probability 0.9. `high` is 0 where the highest load that is tried is
    /// sustained, and there is no limit.
    load_bracket saturation() const;
    /// The most likely threshold, which has as much probability below as above.
    double load() const { return load_at(0.5); }
    /// Whether the bracket is narrow enough for a headline, with two seeds at either end; the limit stands
    /// for the upper end where it is as near.
    bool found() const;
    /// Number of seeds of which the longest runs sustained a load at the lower end of the bracket or above,
    /// and of those that saturated at the upper end or below; either end give or take widest_bracket.
    std::size_t seeds_below() const;
    std::size_t seeds_above() const;
    bool limit_is_upper_end() const;
    /// Whether the highest load that is tried without a limit is sustained.
    bool never_saturates() const;
    /// Loads in the bracket that the longest runs did not settle.
    std::vector<double> unsettled() const;
    /// Latency at the lowest load; 0 without.
    double zero_load_latency() const;
    /// Where the latency is latency_factor times that; nothing where it is not before saturation.
    std::optional<load_bracket> slow() const;
    /// By interpolation in its bracket.
    double slow_load() const;

  private:
    struct point {
        double load, latency;
    };
    std::vector<point> curve() const;  ///< by ascending load, of what was sustained
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
