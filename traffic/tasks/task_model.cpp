// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/task_model.h"

#include "traffic/gap/geometric.h"
#include "traffic/program/duration.h"

#include <fmt/format.h>

#include <cmath>

namespace sare::traffic {
namespace {

/// Returns the whole cycles that are no shorter than a time: a task never takes less than it says.
cycle_t cycles_of(double seconds, double cycle_seconds) {
    double fraction = 0;
    const cycle_t whole = whole_cycles(seconds, cycle_seconds, fraction);
    return fraction > 1e-6 ? whole + 1 : whole;
}

}  // namespace

task_model::task_model(const task_model_parameters& p, const config::location& at, const workload_context& c)
    : m(p),
      m_law(tree_registry::instance().make(p.tree, c.folder)),
      m_means{p.s_s, p.s_r, p.t_i, p.t_a},
      m_needs{{static_cast<double>(p.s_s), p.s_s_law, c.folder},
              {static_cast<double>(p.s_r), p.s_r_law, c.folder},
              {p.t_i, p.t_i_law, c.folder},
              {p.t_a, p.t_a_law, c.folder}} {
    if (c.nodes < 2)
        throw config::error(at, "'task_model' needs a scheduler and a worker: a network of 2 nodes or more");
}

void task_model::start(traffic_port& port) {
    m_port = &port;
    m_arrivals = rng(port.seed(), stream::arrival, scheduler_node);
    m_trees = rng(port.seed(), stream::workload, 0);
    m_draws = rng(port.seed(), stream::workload, 1);
    m_scheduler = scheduler(port.nodes(), rng(port.seed(), stream::placement, scheduler_node));
    for (std::uint32_t i = 0; i < port.nodes(); ++i) m_workers.emplace_back(i);
    m_activity.assign(port.nodes(), {node_use::idle, port.first_cycle()});
    m_last = m_next_arrival = port.first_cycle();
    draw_arrival();
}

/// Draws the next arrival; times between arrivals are exponential.
void task_model::draw_arrival() {
    const double gap = draw_exponential(m_arrivals) / m.beta;
    m_next_arrival += whole_cycles(gap, m_port->cycle_seconds(), m_fraction);
}

cycle_t task_model::next_tick() const {
    return m_timers.empty() ? m_next_arrival : std::min(m_next_arrival, m_timers.top().when);
}

void task_model::tick(cycle_t now) {
    while (m_next_arrival <= now) arrive();
    while (!m_timers.empty() && m_timers.top().when <= now) {
        const std::uint32_t node = m_timers.top().node;
        m_timers.pop();
        m_workers[node].computed(*this);
    }
    run_ready();
}

void task_model::arrive() {
    job_record job;
    job.tree = m_law->next(m_trees);
    job.vertices = job.tree->vertices();
    job.leaves = job.tree->leaves();
    job.delegating = job.tree->delegating();
    job.depth = job.tree->depth();
    job.arrived = m_next_arrival;
    draw_needs(job);
    m_jobs.push_back(std::move(job));
    if (m_jobs.size() == m.jobs)
        m_next_arrival = never;
    else
        draw_arrival();
    m_scheduler.arrived(*this, static_cast<std::uint32_t>(m_jobs.size() - 1));
}

/// Draws the needs of jobs in the order of arrivals, so that a job takes the same on any network.
void task_model::draw_needs(job_record& job) {
    if (m_needs.fixed()) {
        job.work_s = job.vertices * (m.t_i + m.t_a);
        job.bound = static_cast<double>(job.vertices) / job.depth;
        return;
    }
    job.needs = m_needs.draw(*job.tree, m_draws);
    job.work_s = work_of(job.needs);
    const double path = longest_path(*job.tree, job.needs);
    job.bound = path > 0 ? job.work_s / path : 0;
}

void task_model::delivered(const delivery& d) {
    const auto slot = static_cast<std::uint32_t>(d.what.tag);
    const note n = std::move(m_notes[slot]);
    m_notes.give_back(slot);
    m_last = d.consumed;
    if (d.what.destination == scheduler_node)
        m_scheduler.received(*this, n);
    else
        m_workers[d.what.destination].received(*this, n);
    run_ready();
}

std::uint64_t task_model::bytes_of(const note& n) const {
    if (n.what == note::kind::subtask) return needs(n.job, n.vertex).s_s;
    if (n.what == note::kind::result) return needs(n.job, n.vertex).s_r;
    return m.eps;
}

void task_model::send(std::uint32_t to, note n) {
    message out;
    out.source = n.from;
    out.destination = to;
    out.bytes = bytes_of(n);
    out.flits = m_port->flits_for(out.bytes);
    out.generated = m_port->now();
    const std::uint32_t slot = m_notes.take();
    m_notes[slot] = std::move(n);
    out.tag = slot;
    m_sent_bytes += out.bytes;
    ++m_generated.messages;
    m_generated.flits += out.flits;
    m_port->send(out);
}

void task_model::job_completed(std::uint32_t job) {
    m_jobs[job].completed = m_port->now();
    m_jobs[job].tree.reset();
    m_jobs[job].needs = {};
    ++m_completed;
}

void task_model::compute(std::uint32_t node, double seconds) {
    const cycle_t cycles = cycles_of(seconds, m_port->cycle_seconds());
    use(node, node_use::computing);
    if (cycles == 0)
        m_ready.push_back(node);
    else
        m_timers.push({m_port->now() + cycles, node});
}

void task_model::run_ready() {
    while (!m_ready.empty()) {
        const std::uint32_t node = m_ready.back();
        m_ready.pop_back();
        m_workers[node].computed(*this);
    }
}

void task_model::use(std::uint32_t node, node_use what) {
    activity& a = m_activity[node];
    m_used[static_cast<std::size_t>(a.is)] += m_port->now() - a.since;
    a = {what, m_port->now()};
}

bool task_model::finished() const {
    return m_port != nullptr && m_completed == m.jobs && m_scheduler.idle() + 1 == m_workers.size();
}

double task_model::progress() const {
    return static_cast<double>(m_completed) / static_cast<double>(m.jobs);
}

standstill task_model::stuck() const {
    if (finished()) return {};
    return {fmt::format("{} of {} jobs are not complete, and {} of their messages never arrived",
                        m.jobs - m_completed, m.jobs, m_notes.in_use())};
}

namespace {

const config::registration<workload, const workload_context&> registered{
    "task_model", "Jobs arrive at node 0, the scheduler, and spread over the other nodes as trees of tasks.",
    config::schema<task_model_parameters>()
        .raw("tree", &task_model_parameters::tree, "task tree", "of a job: a name or a section with name",
             [](const config::value& v) { return tree_registry::instance().resolve(v); })
        .number("s_s", &task_model_parameters::s_s, 0, 4e9, "bytes", "to give a subtask to another node")
        .number("s_r", &task_model_parameters::s_r, 0, 4e9, "bytes", "of its result")
        .number("eps", &task_model_parameters::eps, 0, 4e9, "bytes", "of a message to or from the scheduler")
        .number("t_i", &task_model_parameters::t_i, 0, 1e3, "s", "initialisation of a task")
        .number("t_a", &task_model_parameters::t_a, 0, 1e3, "s", "aggregation, when all results are there")
        .raw("s_s_law", &task_model_parameters::s_s_law, "gaps",
             "the law of each task's, of which 's_s' is the mean", resolve_gaps)
        .raw("s_r_law", &task_model_parameters::s_r_law, "gaps",
             "the law of each task's, of which 's_r' is the mean", resolve_gaps)
        .raw("t_i_law", &task_model_parameters::t_i_law, "gaps",
             "the law of each task's, of which 't_i' is the mean", resolve_gaps)
        .raw("t_a_law", &task_model_parameters::t_a_law, "gaps",
             "the law of each task's, of which 't_a' is the mean", resolve_gaps)
        .number("beta", &task_model_parameters::beta, 1e-9, 1e15, "jobs/s",
                "that arrive; times between them are exponential")
        .number("jobs", &task_model_parameters::jobs, 1, 1e7, "jobs", "in all; then it ends")
        .number("bandwidth", &task_model_parameters::bandwidth, 0, 1e18, "bit/s",
                "of a node, for rho_c and the utilisation of the network; 0: a full flit a cycle"),
    [](const task_model_parameters& p, const config::value& section, const workload_context& c) {
        return new task_model(p, section.where(), c);
    }};

}  // namespace
}  // namespace sare::traffic
