// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// Measures during a run whether all threads together are faster than one thread. In a trial, pairs of
/// stretches of cycles are run, one stretch by all threads and one by one thread. All threads go on if the
/// median of the speed ratios of these pairs is `least_gain` or more; else one thread goes on.
class thread_trial {
  public:
    /// Number of cycles in a stretch; number of pairs of stretches in a trial.
    static constexpr std::uint32_t stretch = 8, pairs = 7;
    static constexpr std::uint32_t holds = 1U << 15;  ///< number of calls of times_cycle() between two trials

    /// `least_gain`: least ratio of the speed of all threads to that of one; 0: all threads always run, and
    /// nothing is measured. The first trial begins at once.
    explicit thread_trial(double least_gain = 0) : m_least_gain(least_gain), m_all(least_gain == 0) {}

    /// Call before each cycle that all threads may run. Returns true if the cycle is part of a trial, so that
    /// add() must be called after it.
    bool times_cycle() {
        if (m_least_gain == 0) return false;
        if (m_holds == 0) return true;
        if (--m_holds == 0) begin();
        return m_holds == 0;
    }
    /// Adds the time, in seconds, that a cycle of a trial took. Call it only after a cycle for which
    /// times_cycle() was true.
    void add(double seconds);
    /// True if all threads are to run the present cycle, false if one is to; ask after times_cycle().
    bool all() const { return m_all; }

    double least_gain() const { return m_least_gain; }  ///< least ratio, as given to the constructor
    /// Median ratio of the speed of all threads to that of one in the last trial; 0: no trial has ended.
    double gain() const { return m_gain; }
    /// True if gain() of the last trial is below least_gain(), so that one thread runs; false before the end
    /// of the first trial.
    bool one_does() const { return m_gain != 0 && m_gain < m_least_gain; }

  private:
    void begin();     ///< begins a trial
    void end_pair();  ///< ends a pair of stretches, and the trial with the last one

    double m_least_gain, m_gain = 0;  ///< results of least_gain() and gain()
    bool m_all;                       ///< result of all()
    /// Calls of times_cycle() until the next trial; cycles of the present stretch so far.
    std::uint32_t m_holds = 0, m_cycles = 0;
    /// Time of the present pair of stretches in seconds: by one thread, by all.
    double m_seconds[2] = {0, 0};
    bool m_second = false;        ///< true in the second stretch of a pair
    std::vector<double> m_gains;  ///< speed ratio of each pair of this trial
};

}  // namespace sare
