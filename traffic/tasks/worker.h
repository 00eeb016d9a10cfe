// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/tasks/site.h"

namespace sare::traffic {

/// A node that runs tasks. One that was given to it may have subtasks, of which it runs one after the other
/// itself: a stack of tasks that have begun, only the top of which computes. Subtasks of all of them may be
/// at other nodes, and their results come at any time.
class worker {
  public:
    explicit worker(std::uint32_t node) : m_node(node) {}

    void received(task_site& site, const note& n);
    /// What initialise() or aggregate() has begun is over.
    void computed(task_site& site);

    bool idle() const { return m_stack.empty(); }

  private:
    enum class phase : std::uint8_t { initialising, asking, delegating, waiting, aggregating };
    struct task {
        std::uint32_t vertex = 0;
        std::uint32_t next = 0;     ///< the first child that neither began nor was delegated
        std::uint32_t missing = 0;  ///< results of delegated ones
        phase is = phase::initialising;
    };

    void begin(task_site& site, std::uint32_t vertex);
    void initialised(task_site& site);
    void go_on(task_site& site);
    void aggregated(task_site& site);
    void result(task_site& site, const note& n);
    void delegate(task_site& site, std::uint32_t level, std::uint32_t to);

    std::uint32_t m_node;
    std::uint32_t m_job = 0;
    std::uint32_t m_from = 0;   ///< where the result of all this goes
    std::uint32_t m_level = 0;  ///< and there
    std::vector<task> m_stack;
};

}  // namespace sare::traffic
