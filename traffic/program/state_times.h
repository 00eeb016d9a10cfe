// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"
#include "traffic/program/program.h"

namespace sare::traffic {

/// The cycles that each task of a program has spent in each named state. A task enters a state by passing a
/// mark with the number of the state; a mark with any other number ends the state that it is in.
class state_times {
  public:
    /// `names`: names of the states, by number from 0; `tasks`: number of tasks, all in no state.
    state_times(std::vector<std::string> names, std::uint32_t tasks)
        : m_names(std::move(names)), m_at(tasks), m_cycles(m_names.size() * tasks) {}

    /// Returns the names of the states, by number.
    const std::vector<std::string>& names() const { return m_names; }
    /// Ends the stay of a task in its state and counts its cycles; called when the task passes a mark with
    /// number `state` in cycle `now`. Begins a new stay, even in the same state, if `state` is a state.
    void enter(std::uint32_t task, std::int64_t state, cycle_t now);
    /// Returns the cycles that a task has spent in a state (not checked: below names().size()), without the
    /// present stay.
    cycle_t of(std::uint32_t task, std::size_t state) const {
        return m_cycles[task * m_names.size() + state];
    }
    /// Returns the cycles that all tasks together have spent in a state, without present stays.
    double sum(std::size_t state) const;
    /// Returns a map {state: {min_s: ..., mean_s: ..., max_s: ...}, ...} of the least, mean and greatest time
    /// of a task in each state, in seconds, without present stays.
    config::value results(double cycle_seconds) const;
    /// Returns a table of comma-separated values with a row for each task, without present stays. Its header
    /// is "task,STATE_cycles,...".
    std::string table() const;
    /// Adds up, in every process, the times of all processes, each of which has the times of its own tasks.
    /// All processes must call it together.
    void add_up(world& all) { all.sum(m_cycles.data(), m_cycles.size()); }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_at, m_cycles);
    }

  private:
    struct task_progress {
        std::int64_t state = -1;  ///< number of the last mark, which is the task's state if it is below the
                                  ///< number of states; -1: none
        cycle_t since = 0;        ///< cycle in which it entered the state
    };
    std::vector<std::string> m_names;
    std::vector<task_progress> m_at;
    std::vector<cycle_t> m_cycles;  ///< cycles by [task * number of states + state]
};

}  // namespace sare::traffic
