// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/observe/task_event.h"

#include <array>

namespace sare::traffic {

/// The state of every task, and the cycles that each task has spent in each state in each phase (56 bytes for
/// a phase of a task). A task has the busiest state of its strands (threads of control: class strands): the
/// highest value of task_state.
class task_states {
  public:
    /// Cycles in each state, by task_state.
    using times = std::array<cycle_t, task_state_count>;

    /// Makes tasks 0 to `tasks` - 1, all idle from cycle `first` on.
    task_states(std::uint32_t tasks, cycle_t first) : m_tasks(tasks, of_task{first}) {}

    /// Sets the state of a strand of `task`, idle before the first call for it. `phase`: present phase of the
    /// task; `now`: present cycle. Returns true if the state of the task changes.
    bool set(std::uint32_t strand, std::uint32_t task, task_state s, std::uint32_t phase, cycle_t now);
    /// Adds the cycles since the last call for this task to its present state in `phase`. Call it when a
    /// phase ends, and at the end of the run.
    void charge(std::uint32_t task, std::uint32_t phase, cycle_t now);
    /// Returns the present state of a task.
    task_state of(std::uint32_t task) const { return m_tasks[task].now; }
    /// Returns the cycles of a task in each state, by phase, up to the last charge(); phases beyond the end
    /// of the list took no cycles.
    const std::vector<times>& spent(std::uint32_t task) const { return m_tasks[task].spent; }
    /// Replaces the result of spent() for a task, by `spent` from another process.
    void take(std::uint32_t task, std::vector<times> spent) { m_tasks[task].spent = std::move(spent); }

  private:
    struct of_task {
        explicit of_task(cycle_t first) : since(first) {}
        /// Cycle up to which time has been charged.
        cycle_t since;
        task_state now = task_state::idle;
        /// Number of strands in each state; the count of idle strands is not reliable.
        std::array<std::uint32_t, task_state_count> strands{};
        std::vector<times> spent;  ///< cycles in each state, by phase
    };
    std::vector<of_task> m_tasks;
    std::vector<task_state> m_strands;
};

}  // namespace sare::traffic
