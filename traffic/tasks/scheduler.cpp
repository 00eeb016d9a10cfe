// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/scheduler.h"

#include <algorithm>
#include <numeric>

namespace sare::traffic {

scheduler::scheduler(std::uint32_t nodes, rng random) : m_random(random), m_idle(nodes - 1) {
    std::iota(m_idle.begin(), m_idle.end(), scheduler_node + 1);
}

void scheduler::arrived(task_site& site, std::uint32_t job) {
    if (m_idle.empty())
        m_queue.push_back(job);
    else
        assign(site, job);
}

void scheduler::received(task_site& site, const note& n) {
    switch (n.what) {
        case note::kind::request:
            answer(site, n);
            break;
        case note::kind::release:
            released(site, n.count);
            break;
        default:
            site.job_completed(n.job);
            released(site, n.from);
    }
}

void scheduler::answer(task_site& site, const note& request) {
    note n;
    n.what = note::kind::answer;
    n.job = request.job;
    const std::size_t count = std::min<std::size_t>(request.count, m_idle.size());
    while (n.nodes.size() < count) n.nodes.push_back(take(site));
    n.from = scheduler_node;
    site.send(request.from, std::move(n));
}

void scheduler::released(task_site& site, std::uint32_t node) {
    m_idle.push_back(node);
    site.use(node, node_use::idle);
    if (m_queue.empty()) return;
    const std::uint32_t job = m_queue.front();
    m_queue.pop_front();
    assign(site, job);
}

void scheduler::assign(task_site& site, std::uint32_t job) {
    note n;
    n.job = job;
    site.job_started(job);
    site.send(take(site), std::move(n));
}

/// Takes a random idle worker, which is idle no more.
std::uint32_t scheduler::take(task_site& site) {
    std::uint32_t& chosen = m_idle[m_random.below(static_cast<std::uint32_t>(m_idle.size()))];
    const std::uint32_t node = chosen;
    chosen = m_idle.back();
    m_idle.pop_back();
    site.use(node, node_use::reserved);
    return node;
}

}  // namespace sare::traffic
