// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <unordered_map>

namespace sare::traffic {

/// A map from tasks to a reader's state of each task, for as many tasks as the header of a trace claims: only
/// tasks for which operator[] was called take memory.
template <class State>
class sparse_tasks {
  public:
    /// Sets size(); makes and removes no states.
    void resize(std::size_t tasks) { m_size = tasks; }
    /// Returns the number of tasks that resize() has set.
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }  ///< true: size() is 0
    /// Returns the state of a task; makes a default one at the first call for this task. Does not check that
    /// `task` is below size().
    State& operator[](std::uint32_t task) { return m_states[task]; }
    /// Returns the state of a task without making one: a default state if operator[] was never called for it.
    /// Does not check that `task` is below size().
    const State& at(std::uint32_t task) const {
        static const State none{};
        const auto found = m_states.find(task);
        return found == m_states.end() ? none : found->second;
    }

  private:
    std::size_t m_size = 0;
    std::unordered_map<std::uint32_t, State> m_states;
};

}  // namespace sare::traffic
