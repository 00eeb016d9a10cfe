// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/tasks/site.h"

namespace sare::traffic {

/// A worker of the task model: a node that runs a task and, one after the other, the subtasks of it that were
/// not given to other workers, and their subtasks. It has a stack of tasks that have begun, of which only the
/// top one computes. Each task on the stack may have subtasks on other workers, whose results come at any
/// time. `site`: the task model.
class worker {
  public:
    /// `node`: number of the worker's node.
    explicit worker(std::uint32_t node) : m_node(node) {}

    /// Takes a message that has reached this node: a job, a subtask, an answer or a result (not checked).
    void received(task_site& site, const note& n);
    /// Goes on after the computation that task_site::initialise() or aggregate() began for this node has
    /// ended. Must be called then.
    void computed(task_site& site);

    bool idle() const { return m_stack.empty(); }  ///< true: it runs no task

  private:
    /// Activity of a task on the stack; delegating: its subtasks run here one after the other.
    enum class phase : std::uint8_t { initialising, asking, delegating, waiting, aggregating };
    /// A task on the stack.
    struct task {
        std::uint32_t vertex = 0;
        std::uint32_t next = 0;  ///< index of the first child that has neither begun here nor been given away
        /// Number of children that were given away and whose results have not come.
        std::uint32_t missing = 0;
        phase is = phase::initialising;
    };

    void begin(task_site& site, std::uint32_t vertex);
    void initialised(task_site& site);
    void go_on(task_site& site);
    void aggregated(task_site& site);
    void result(task_site& site, const note& n);
    void delegate(task_site& site, std::uint32_t level, std::uint32_t to);

    std::uint32_t m_node;
    std::uint32_t m_job = 0;    ///< number of the job of its tasks
    std::uint32_t m_from = 0;   ///< node that gets the result of the bottom task: the scheduler (a report) or
                                ///< another worker
    std::uint32_t m_level = 0;  ///< index of the task that waits for this result, in the stack of that worker
    /// Tasks that have begun and not ended; the last one is the top.
    std::vector<task> m_stack;
};

}  // namespace sare::traffic
