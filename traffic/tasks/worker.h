// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/tasks/site.h"

namespace sare::traffic {

/// A node that runs tasks. It runs subtasks of its task one after the other, and subtasks of these: it has a
/// stack of tasks that have begun, of which only the top one computes. Subtasks of all of these may also be
/// at other nodes, whose results come at any time.
class worker {
  public:
    explicit worker(std::uint32_t node) : m_node(node) {}

    /// Takes a message for this node.
    void received(task_site& site, const note& n);
    /// Ends the computation that initialise() or aggregate() has begun.
    void computed(task_site& site);

    bool idle() const { return m_stack.empty(); }  ///< it runs no task

  private:
    enum class phase : std::uint8_t { initialising, asking, delegating, waiting, aggregating };
    struct task {
        std::uint32_t vertex = 0;
        std::uint32_t next = 0;     ///< index of the first child that neither began nor was delegated
        std::uint32_t missing = 0;  ///< number of results of delegated children to come
        phase is = phase::initialising;
    };

    void begin(task_site& site, std::uint32_t vertex);
    void initialised(task_site& site);
    void go_on(task_site& site);
    void aggregated(task_site& site);
    void result(task_site& site, const note& n);
    void delegate(task_site& site, std::uint32_t level, std::uint32_t to);

    std::uint32_t m_node;
    std::uint32_t m_job = 0;    ///< number of the job at work
    std::uint32_t m_from = 0;   ///< node that the result of the bottom task goes to
    std::uint32_t m_level = 0;  ///< index of the waiting task in that node's stack
    std::vector<task> m_stack;
};

}  // namespace sare::traffic
