// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/tasks/site.h"

#include <deque>

namespace sare::traffic {

/// The scheduler, which knows the idle workers. A job goes to a random one, or waits in a queue for the next
/// one that is released; a worker that asks for nodes gets idle ones, drawn at random, and never waits for
/// more.
class scheduler {
  public:
    scheduler() = default;
    /// Begins with workers 1 to nodes - 1 idle.
    scheduler(std::uint32_t nodes, rng random);

    void arrived(task_site& site, std::uint32_t job);
    /// Takes a request, a release or a report.
    void received(task_site& site, const note& n);

    std::size_t idle() const { return m_idle.size(); }
    std::size_t queued() const { return m_queue.size(); }  ///< number of waiting jobs

  private:
    void answer(task_site& site, const note& request);
    void released(task_site& site, std::uint32_t node);
    void assign(task_site& site, std::uint32_t job);
    std::uint32_t take(task_site& site);

    rng m_random;
    std::vector<std::uint32_t> m_idle;
    std::deque<std::uint32_t> m_queue;  ///< jobs; empty as long as a worker is idle
};

}  // namespace sare::traffic
