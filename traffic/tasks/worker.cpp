// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/worker.h"

namespace sare::traffic {

void worker::received(task_site& site, const note& n) {
    switch (n.what) {
        case note::kind::answer: {
            const auto top = static_cast<std::uint32_t>(m_stack.size() - 1);
            m_stack[top].is = phase::delegating;
            for (const std::uint32_t node : n.nodes) delegate(site, top, node);
            go_on(site);
            break;
        }
        case note::kind::result:
            result(site, n);
            break;
        default:  // a job or a subtask
            m_job = n.job;
            m_from = n.from;
            m_level = n.level;
            begin(site, n.vertex);
    }
}

void worker::computed(task_site& site) {
    if (m_stack.back().is == phase::initialising)
        initialised(site);
    else
        aggregated(site);
}

void worker::begin(task_site& site, std::uint32_t vertex) {
    m_stack.push_back({vertex, 0, 0, phase::initialising});
    site.initialise(m_node, m_job, vertex);
}

/// Keeps one subtask for itself: with two or more it asks for help.
void worker::initialised(task_site& site) {
    task& t = m_stack.back();
    const std::uint32_t subtasks = site.tree(m_job).children(t.vertex);
    t.is = phase::delegating;
    if (subtasks < 2) return go_on(site);
    t.is = phase::asking;
    site.use(m_node, node_use::asking);
    note n;
    n.what = note::kind::request;
    n.job = m_job;
    n.from = m_node;
    n.count = subtasks - 1;
    site.send(scheduler_node, std::move(n));
}

/// Goes on with the next subtask, else the others' results, else the end of the task at the top.
void worker::go_on(task_site& site) {
    task& t = m_stack.back();
    const job_tree& tree = site.tree(m_job);
    if (t.next < tree.children(t.vertex)) return begin(site, tree.child(t.vertex, t.next++));
    if (t.missing > 0) {
        t.is = phase::waiting;
        site.use(m_node, node_use::waiting);
        return;
    }
    t.is = phase::aggregating;
    site.aggregate(m_node, m_job, t.vertex);
}

void worker::aggregated(task_site& site) {
    const std::uint32_t vertex = m_stack.back().vertex;
    m_stack.pop_back();
    if (!m_stack.empty()) return go_on(site);
    site.use(m_node, node_use::reserved);
    note n;
    n.what = m_from == scheduler_node ? note::kind::report : note::kind::result;
    n.job = m_job;
    n.from = m_node;
    n.vertex = vertex;
    n.level = m_level;
    site.send(m_from, std::move(n));
}

/// Takes a result; the node that sent it gets another subtask, or goes back to the scheduler.
void worker::result(task_site& site, const note& n) {
    task& t = m_stack[n.level];
    --t.missing;
    if (t.next < site.tree(m_job).children(t.vertex)) {
        delegate(site, n.level, n.from);
    } else {
        note free;
        free.what = note::kind::release;
        free.job = m_job;
        free.from = m_node;
        free.count = n.from;
        site.send(scheduler_node, std::move(free));
    }
    if (t.is == phase::waiting) go_on(site);
}

void worker::delegate(task_site& site, std::uint32_t level, std::uint32_t to) {
    task& t = m_stack[level];
    note n;
    n.what = note::kind::subtask;
    n.job = m_job;
    n.from = m_node;
    n.vertex = site.tree(m_job).child(t.vertex, t.next++);
    n.level = level;
    ++t.missing;
    site.send(to, std::move(n));
}

}  // namespace sare::traffic
