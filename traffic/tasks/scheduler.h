// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/tasks/site.h"

#include <deque>

namespace sare::traffic {

/// The scheduler of the task model, on a node of its own; it knows which workers are idle. A job goes to an
/// idle worker drawn at random, or waits in a queue until a worker becomes idle. A worker that asks for nodes
/// gets idle workers at once, drawn at random: as many as it asked for, or all that are idle if these are
/// fewer, or none. `site`: the task model.
class scheduler {
  public:
    /// A scheduler without workers.
    scheduler() = default;
    /// Makes a scheduler for workers 1 to `nodes` - 1, all of them idle; `nodes` is at least 1 (not checked).
    scheduler(std::uint32_t nodes, rng random);

    /// Takes a job (by number) that has arrived from outside: gives it to an idle worker, or puts it into the
    /// queue.
    void arrived(task_site& site, std::uint32_t job);
    /// Takes a message of a worker: a request for nodes, the release of a node, or the report that a job is
    /// done. Other kinds of messages are not allowed (not checked).
    void received(task_site& site, const note& n);

    std::size_t idle() const { return m_idle.size(); }     ///< number of idle workers
    std::size_t queued() const { return m_queue.size(); }  ///< number of jobs that wait for a worker

  private:
    void answer(task_site& site, const note& request);
    void released(task_site& site, std::uint32_t node);
    void assign(task_site& site, std::uint32_t job);
    std::uint32_t take(task_site& site);

    rng m_random;
    std::vector<std::uint32_t> m_idle;  ///< numbers of the idle workers, in no order
    std::deque<std::uint32_t> m_queue;  ///< jobs that wait, the oldest first; empty as long as a worker is
                                        ///< idle
};

}  // namespace sare::traffic
