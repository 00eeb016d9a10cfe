// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// Finds out whether threads pay, while they are at work: now and then stretches of cycles are run by all
/// threads and by one in turn. All go on if they are so many times as fast as one; what counts is the median
/// of several pairs of stretches.
class thread_trial {
  public:
    static constexpr std::uint32_t stretch = 8, pairs = 7;  ///< cycles; pairs of stretches in a trial
    static constexpr std::uint32_t holds = 1U << 15;        ///< cycles until the next trial begins

    /// `least_gain`: times as fast; 0: all threads run every cycle.
    explicit thread_trial(double least_gain = 0) : m_least_gain(least_gain), m_all(least_gain == 0) {}

    /// Called before a cycle that all threads may run. True if its time is wanted: add() must follow.
    bool times_cycle() {
        if (m_least_gain == 0) return false;
        if (m_holds == 0) return true;
        if (--m_holds == 0) begin();
        return m_holds == 0;
    }
    /// The cycle took so many seconds.
    void add(double seconds);
    /// All threads run the present cycle, not one alone.
    bool all() const { return m_all; }

    double least_gain() const { return m_least_gain; }
    /// How many times as fast all were in the last trial; 0: none has ended.
    double gain() const { return m_gain; }
    /// The last trial has shown that one thread does.
    bool one_does() const { return m_gain != 0 && m_gain < m_least_gain; }

  private:
    void begin();
    void end_pair();

    double m_least_gain, m_gain = 0;
    bool m_all;
    std::uint32_t m_holds = 0, m_cycles = 0;  ///< cycles: until the next trial; of this stretch
    double m_seconds[2] = {0, 0};             ///< of this pair: by one thread, by all
    bool m_second = false;                    ///< stretch of the pair
    std::vector<double> m_gains;              ///< of the pairs of this trial
};

}  // namespace sare
