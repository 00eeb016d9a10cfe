// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/observe/task_event.h"

#include <array>

namespace sare::traffic {

/// What every task does at a time, made of what its strands do; and how long it has done what, by phase:
/// 56 bytes for a phase of a task.
class task_states {
  public:
    using times = std::array<cycle_t, task_state_count>;

    task_states(std::uint32_t tasks, cycle_t first) : m_tasks(tasks, of_task{first}) {}

    /// True if that of its task is another now.
    bool set(std::uint32_t strand, std::uint32_t task, task_state s, std::uint32_t phase, cycle_t now);
    /// A phase ends for a task: the time until now is that one's.
    void charge(std::uint32_t task, std::uint32_t phase, cycle_t now);
    task_state of(std::uint32_t task) const { return m_tasks[task].now; }
    /// By task and phase: shorter than there are phases where a task was not in the later ones.
    const std::vector<times>& spent(std::uint32_t task) const { return m_tasks[task].spent; }
    void take(std::uint32_t task, std::vector<times> spent) { m_tasks[task].spent = std::move(spent); }

  private:
    struct of_task {
        explicit of_task(cycle_t first) : since(first) {}
        cycle_t since;
        task_state now = task_state::idle;
        std::array<std::uint32_t, task_state_count> strands{};  ///< in each state but idle
        std::vector<times> spent;                               ///< by phase
    };
    std::vector<of_task> m_tasks;
    std::vector<task_state> m_strands;
};

}  // namespace sare::traffic
