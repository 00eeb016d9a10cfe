// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/tasks/site.h"

#include <deque>

namespace sare::traffic {

/// The scheduler, which knows the idle workers. A job goes to an idle worker drawn at random, or waits in a
/// queue for the next worker that is released. A worker that asks for nodes gets idle ones, drawn at random,
/// perhaps fewer than it asked for: it never waits for more.
class scheduler {
  public:
    scheduler() = default;
    /// Makes a scheduler that knows the workers 1 to nodes - 1, all idle.
    scheduler(std::uint32_t nodes, rng random);

    /// Takes a job that has arrived.
    void arrived(task_site& site, std::uint32_t job);
    /// Takes a request, a release or a report.
    void received(task_site& site, const note& n);

    std::size_t idle() const { return m_idle.size(); }     ///< number of idle workers
    std::size_t queued() const { return m_queue.size(); }  ///< number of waiting jobs

  private:
    void answer(task_site& site, const note& request);
    void released(task_site& site, std::uint32_t node);
    void assign(task_site& site, std::uint32_t job);
    std::uint32_t take(task_site& site);

    rng m_random;
    std::vector<std::uint32_t> m_idle;  ///< idle workers
    std::deque<std::uint32_t> m_queue;  ///< waiting jobs; empty as long as a worker is idle
};

}  // namespace sare::traffic
