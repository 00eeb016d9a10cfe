// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

/// The search for the load at which a network saturates: which loads are run, and what follows from them. It
/// knows nothing of networks: docs/saturation.md tells the method.
namespace sare::cli {

struct saturation_goal {
    double limit = 0;           ///< no load above it can be sustained; 0: not known
    double tolerance = 0.01;    ///< of the bracket, relative
    double latency_factor = 2;  ///< times the latency without load
    bool other_seed = true;     ///< whether a run by another seed has the same traffic
    std::uint32_t most_runs = 12;
};

/// A run that is wanted.
struct saturation_probe {
    double load = 0;
    std::uint32_t seed = 0;    ///< 0: that of the experiment; 1: another
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
};

class saturation_search {
  public:
    explicit saturation_search(const saturation_goal& goal) : m_goal(goal) {}

    /// The next run; nothing when all is known, or most_runs are made.
    std::optional<saturation_probe> next() const;
    void add(const saturation_sample& s) { m_samples.push_back(s); }

    const std::vector<saturation_sample>& samples() const { return m_samples; }
    /// The highest load that is sustained, and the lowest that is not or is the limit; 0 where there is none.
    /// Of several runs of a load the longest decide. Loads between, if any, are unsettled or disputed.
    load_bracket saturation() const;
    bool within_tolerance() const;
    /// Loads in the bracket at which one seed is sustained and another, as long, saturated.
    std::vector<double> disputed() const;
    /// Whether two seeds agree on the lower end of the bracket, and on the upper one.
    bool low_confirmed() const { return confirmed_at(saturation().low); }
    bool high_confirmed() const { return confirmed_at(saturation().high); }
    /// Latency at the lowest load; 0 without.
    double zero_load_latency() const;
    /// Where the latency is latency_factor times that; nothing where it is not before the highest sustained
    /// load.
    std::optional<load_bracket> slow() const;
    /// By interpolation in its bracket.
    double slow_load() const;

  private:
    enum class state { sustained, saturated, open };
    struct level {
        double load;
        state is;
        double latency;  ///< of the longest run of the first seed
        bool confirmed;  ///< by two seeds
    };
    std::vector<level> levels() const;  ///< by ascending load
    double first_load() const;
    std::uint32_t usual_length() const;
    bool repeated(double load) const;
    bool confirmed_at(double load) const;
    std::optional<saturation_probe> longer() const;
    std::optional<saturation_probe> nearer() const;
    std::optional<saturation_probe> again() const;
    std::optional<saturation_probe> slower() const;

    saturation_goal m_goal;
    std::vector<saturation_sample> m_samples;
};

}  // namespace sare::cli
