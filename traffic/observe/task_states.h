// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/observe/task_event.h"

#include <array>

namespace sare::traffic {

/// The state of every task, from the states of its strands, and the cycles that it has spent in each state,
/// by phase: 56 bytes for a phase of a task.
class task_states {
  public:
    using times = std::array<cycle_t, task_state_count>;

    /// `first`: first cycle, in which all tasks are idle.
    task_states(std::uint32_t tasks, cycle_t first) : m_tasks(tasks, of_task{first}) {}

    /// Sets a strand's state; returns true if its task's state changes.
    bool set(std::uint32_t strand, std::uint32_t task, task_state s, std::uint32_t phase, cycle_t now);
    /// Ends a phase of a task: the time until now is charged to it.
    void charge(std::uint32_t task, std::uint32_t phase, cycle_t now);
    task_state of(std::uint32_t task) const { return m_tasks[task].now; }
    /// Returns the cycles of a task in each state, by phase; phases that are missing at the end have none.
    const std::vector<times>& spent(std::uint32_t task) const { return m_tasks[task].spent; }
    void take(std::uint32_t task, std::vector<times> spent) { m_tasks[task].spent = std::move(spent); }

  private:
    struct of_task {
        explicit of_task(cycle_t first) : since(first) {}
        cycle_t since;
        task_state now = task_state::idle;
        std::array<std::uint32_t, task_state_count> strands{};  ///< number of strands in each state but idle
        std::vector<times> spent;                               ///< times of each phase
    };
    std::vector<of_task> m_tasks;
    std::vector<task_state> m_strands;
};

}  // namespace sare::traffic
