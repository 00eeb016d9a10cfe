// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"
#include "traffic/program/program.h"

namespace sare::traffic {

/// The cycles that each task of a program was in each of some states. A task enters a state by passing a mark
/// with the number of the state; a mark with another number ends its state.
class state_times {
  public:
    state_times(std::vector<std::string> names, std::uint32_t tasks)
        : m_names(std::move(names)), m_at(tasks), m_cycles(m_names.size() * tasks) {}

    const std::vector<std::string>& names() const { return m_names; }
    /// Notes that a task passes a mark in cycle `now`.
    void enter(std::uint32_t task, std::int64_t state, cycle_t now);
    /// Returns the cycles of a task in a state.
    cycle_t of(std::uint32_t task, std::size_t state) const {
        return m_cycles[task * m_names.size() + state];
    }
    /// Returns the cycles of a state in all tasks together.
    double sum(std::size_t state) const;
    /// Returns {compute: {min_s: ..., mean_s: ..., max_s: ...}, ...} over the tasks.
    config::value results(double cycle_seconds) const;
    /// Returns a table with a row for every task: "task,compute_cycles,...".
    std::string table() const;
    /// Adds up the times of all processes, each of which knows some tasks'.
    void add_up(world& all) { all.sum(m_cycles.data(), m_cycles.size()); }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_at, m_cycles);
    }

  private:
    struct task_progress {
        std::int64_t state = -1;  ///< state that the task is in; -1: none
        cycle_t since = 0;        ///< cycle in which it entered the state
    };
    std::vector<std::string> m_names;
    std::vector<task_progress> m_at;
    std::vector<cycle_t> m_cycles;  ///< [task * states + state]
};

}  // namespace sare::traffic
