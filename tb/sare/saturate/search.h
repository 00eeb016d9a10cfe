// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// Search for the load at which a network saturates (the threshold): chooses loads to run, and draws
/// conclusions. It knows nothing of networks: docs/saturation.md describes the method. Loads are in the unit
/// of the workload's `load`, mostly flits/node/cycle.
namespace sare::cli {

/// Width of a bracket, relative to its upper end, above which there is no headline figure.
constexpr double widest_bracket = 0.05;

/// Goal of a search: bounds of the loads, accuracy, and the number of runs that it may make.
struct saturation_goal {
    double limit = 0;           ///< highest load that the channels can carry; 0: unknown
    double highest = 1;         ///< highest load that is tried if `limit` is unknown
    double tolerance = 0.02;    ///< width of the bracket at which the search ends, relative to its upper end
    double latency_factor = 2;  ///< latency of slow(), in multiples of zero_load_latency()
    bool other_seeds = true;  ///< true: a run with another seed has traffic of the same pattern, so that the
                              ///< search uses several seeds
    std::uint32_t most_runs = 24;  ///< number of runs after which the search ends
};

/// A run that is wanted.
struct saturation_probe {
    double load = 0;           ///< load to run
    std::uint32_t seed = 0;    ///< number that is added to the experiment's seed
    std::uint32_t length = 1;  ///< factor on the experiment's warm-up and batches: 1, 4 or 16
};

/// A run that was made.
struct saturation_sample {
    /// Verdict by the status of the run: "completed" (sustained), "saturated" or "unsettled" (too short to
    /// tell).
    enum class verdict : std::uint8_t { sustained, saturated, unsettled };
    saturation_probe probe;  ///< the run
    verdict said = verdict::unsettled;
    /// Mean latency of packets from their generation, in cycles; of no meaning if the run saturated.
    double latency = 0;
};

/// An interval of loads that contains the load looked for, from `low` to `high`.
struct load_bracket {
    double low = 0, high = 0;
    /// Returns the width relative to `high`; 0 if `high` is 0, which means unknown.
    double width() const { return high > 0 ? (high - low) / high : 0; }
};

/// Probability of each load to be the threshold, given the runs so far: a Bayesian fit. A run is sustained
/// with a probability that is a logistic law of the logarithm of its load. Short runs blur the threshold and
/// may move it up; the fit includes both effects.
class threshold_belief {
  public:
    /// `highest`: highest load that the threshold may have.
    explicit threshold_belief(double highest);
    /// Takes a sample into account; an unsettled one has no effect.
    void add(const saturation_sample& s);
    /// Returns the load below which the threshold is with probability `p`, in (0, 1).
    double quantile(double p) const;

  private:
    /// A law that may hold for runs, with the probabilities of loads to be the threshold under it.
    struct hypothesis {
        double spread;               ///< relative width of the law, in the longest runs
        double shift;                ///< relative rise of the threshold in much shorter runs
        std::vector<double> weight;  ///< probability, up to a factor, of each of m_loads
    };
    std::vector<double> m_loads;  ///< loads that the threshold may have, ascending, in equal steps of the
                                  ///< logarithm
    std::vector<hypothesis> m_hypotheses;  ///< hypotheses, for all pairs of a spread and a shift
};

/// The search: next() asks for runs, add() takes their samples, and the other functions draw conclusions from
/// these.
class saturation_search {
  public:
    explicit saturation_search(const saturation_goal& goal);  ///< begins a search without samples

    /// Returns the run to be made next; nothing if no further run is useful, or most_runs runs are made. It
    /// depends only on the goal and the samples.
    std::optional<saturation_probe> next() const;
    /// Adds the sample of the run that next() has returned.
    void add(const saturation_sample& s);

    /// Returns the samples in the order in which they were added.
    const std::vector<saturation_sample>& samples() const { return m_samples; }
    /// Returns the bracket that contains the threshold with probability 0.9. `high` is 0 if there is no limit
    /// and the threshold is above saturation_goal::highest with a probability of more than 0.05.
    load_bracket saturation() const;
    /// Returns the median of the threshold, at most the highest load that is tried.
    double load() const { return load_at(0.5); }
    /// Returns true if the bracket is at most widest_bracket wide, and seeds_below() and seeds_above() are at
    /// least 2; limit_is_upper_end() may replace the seeds above.
    bool found() const;
    /// Returns the number of seeds of which a run of length 16 has sustained a load above the bracket's lower
    /// end, less widest_bracket of it.
    std::size_t seeds_below() const;
    /// Returns the number of seeds of which a run of length 16 has saturated at a load below the bracket's
    /// upper end, plus widest_bracket of it.
    std::size_t seeds_above() const;
    /// Returns true if there is a limit, and the bracket's lower end is within widest_bracket of it.
    bool limit_is_upper_end() const;
    /// Returns true if there is no limit, and the threshold is above saturation_goal::highest, less
    /// `tolerance` of it, with a probability of 0.95.
    bool never_saturates() const;
    /// Returns the loads tried within the bracket that a run of length 16 left unsettled, or that are within
    /// 1% of such a load, ascending.
    std::vector<double> unsettled() const;
    /// Returns the mean latency at the lowest load tried, a hundredth of the limit (without a limit, of
    /// saturation_goal::highest), in cycles; 0: unknown.
    double zero_load_latency() const;
    /// Returns the bracket of the load with latency_factor times zero_load_latency(); nothing if saturation
    /// comes first, or the latency at zero load is unknown.
    std::optional<load_bracket> slow() const;
    /// Returns the load at which the latency is latency_factor times zero_load_latency(), interpolated in the
    /// bracket slow(); 0 if there is none.
    double slow_load() const;

  private:
    /// A load, and the mean latency at it, in cycles.
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
