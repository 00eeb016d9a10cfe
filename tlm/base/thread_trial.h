// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// Measures during a run whether several threads are faster than one: from time to time, stretches of cycles
/// are run by all threads and by one thread in turn. All threads go on if the median of the speed ratios of
/// several pairs of stretches is large enough.
class thread_trial {
  public:
    static constexpr std::uint32_t stretch = 8,
                                   pairs = 7;         ///< cycles of a stretch; pairs of stretches of a trial
    static constexpr std::uint32_t holds = 1U << 15;  ///< calls of times_cycle() between trials

    /// `least_gain`: least ratio of the speed of all threads to that of one; 0: all always, no trials.
    explicit thread_trial(double least_gain = 0) : m_least_gain(least_gain), m_all(least_gain == 0) {}

    /// Call before each cycle that all threads may run. Returns true if add() must follow with its time.
    bool times_cycle() {
        if (m_least_gain == 0) return false;
        if (m_holds == 0) return true;
        if (--m_holds == 0) begin();
        return m_holds == 0;
    }
    /// Adds the time that the cycle took, in seconds.
    void add(double seconds);
    /// True if all threads run the present cycle, where they may.
    bool all() const { return m_all; }

    double least_gain() const { return m_least_gain; }
    /// Ratio of the speed of all threads to that of one in the last trial; 0: no trial has ended.
    double gain() const { return m_gain; }
    /// True if one thread runs the network because of the last trial.
    bool one_does() const { return m_gain != 0 && m_gain < m_least_gain; }

  private:
    void begin();
    void end_pair();

    double m_least_gain, m_gain = 0;
    bool m_all;
    std::uint32_t m_holds = 0, m_cycles = 0;  ///< cycles until the next trial; cycles in this stretch
    double m_seconds[2] = {0, 0};             ///< time of this pair, s: by one thread, by all
    bool m_second = false;                    ///< true in the second stretch of a pair
    std::vector<double> m_gains;              ///< speed ratio of each pair of this trial
};

}  // namespace sare
