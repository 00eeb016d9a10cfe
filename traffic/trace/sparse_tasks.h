// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <unordered_map>

namespace sare::traffic {

/// A reader's state of each task, for as many tasks as a header claims: only tasks that are asked for take
/// memory.
template <class State>
class sparse_tasks {
  public:
    void resize(std::size_t tasks) { m_size = tasks; }
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    /// Returns the state of a task, which is made if there is none. Does not check that `task` is below
    /// size().
    State& operator[](std::uint32_t task) { return m_states[task]; }
    /// Returns the state of a task without storing one: the default state if operator[] was never called for
    /// it. Does not check that `task` is below size().
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
