// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/overlapping_port.h"
#include "tlm/stats/table.h"
#include "traffic/tasks/task_model.h"

#include <cstdio>

/// The measures of the task model.
namespace sare::traffic {
namespace {

using config::number;
const table_form jobs_form{"jobs.csv", R"(
    job: count. Its number.
    tasks: count. Vertices of its tree.
    leaves: count. Leaves of it.
    delegating: count. Vertices that gave children away.
    depth: count. Of the tree.
    arrival_cycle: count in cycles. When it came.
    start_cycle: count in cycles. When it was begun.
    completion_cycle: count in cycles. When it was done.
    speedup: number. Its work over the time from arrival to report.
    bound: number. That no network could better: its work over that of its longest path.
)"};
std::string short_text(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", x);
    return text;
}

/// Returns a ratio; null if there is nothing to divide by.
config::value ratio(double a, double b) {
    return b == 0 ? config::value{} : number(a / b);
}

}  // namespace

/// Returns means by the laws: F_x = n (t_i + t_a); F_c = (L - 1)(s_s + s_r + eps) + eps (2 + 2 d).
task_model::footprint task_model::mean_footprint() const {
    std::uint64_t vertices = 0, delegated = 0, delegating = 0;
    for (const job_record& j : m_jobs) {
        vertices += j.vertices;
        delegated += j.leaves - 1;
        delegating += j.delegating;
    }
    if (m_jobs.empty()) return {};
    const auto jobs = static_cast<double>(m_jobs.size());
    const auto each = static_cast<double>(m.s_s + m.s_r + m.eps), eps = static_cast<double>(m.eps);
    footprint f;
    f.vertices = static_cast<double>(vertices) / jobs;
    f.execution_s = f.vertices * (m.t_i + m.t_a);
    f.communication_bits = 8 * (static_cast<double>(delegated) / jobs * each +
                                eps * (2 + 2 * (static_cast<double>(delegating) / jobs)));
    return f;
}

/// Returns a job's work divided by the time from its arrival to its report.
double task_model::speedup(const job_record& job) const {
    const double seconds = static_cast<double>(job.completed - job.arrived) * m_port->cycle_seconds();
    return seconds == 0 ? 0 : job.work_s / seconds;
}

/// Warns of overlap. Where links of nodes carry several messages at once, jobs take between what they do and
/// what they would if all that is left out came on top of it. The model cannot tell a gain from a loss if the
/// speed-up is above 1 with the one and below with the other.
void task_model::warn_of_overlap() const {
    const auto* const port = dynamic_cast<const overlapping_port*>(m_port);
    const double overlap = port != nullptr ? port->overlap_seconds() : 0;
    double work = 0, completion = 0;
    for (const job_record& j : m_jobs) {
        if (j.tree != nullptr) continue;
        work += j.work_s;
        completion += static_cast<double>(j.completed - j.arrived) * m_port->cycle_seconds();
    }
    if (!m_warn || work <= completion || work >= completion + overlap) return;
    m_warn("the jobs' speed-up is " + short_text(work / completion) + ", and may be as little as " +
           short_text(work / (completion + overlap)) + ": their messages would have waited up to " +
           short_text(overlap / static_cast<double>(m_completed)) +
           " s a job for links of nodes, which carry all at once without contention; 'fidelity: node_links' "
           "has them wait");
}

double task_model::node_bandwidth() const {
    if (m.bandwidth != 0) return m.bandwidth;
    constexpr std::uint64_t bytes = 1 << 24;
    return 8.0 * bytes / (m_port->flits_for(bytes) * m_port->cycle_seconds());
}

config::value task_model::results() const {
    config::value out = config::value::map({});
    if (m_port == nullptr) return out;
    out.set("makespan_cycles", number(m_last - m_port->first_cycle()));
    const footprint f = mean_footprint();
    const auto nodes = static_cast<double>(m_workers.size());
    const double rho_x = f.execution_s * m.beta / (nodes - 1);
    const double rho_c = m.beta * f.communication_bits / (node_bandwidth() * nodes);
    config::value model = config::value::map({});
    model.set("jobs", number(m_completed));
    model.set("tasks", number(m_tasks));
    model.set("mean_vertices", number(f.vertices));
    model.set("F_x_s", number(f.execution_s));
    model.set("F_c_bits", number(f.communication_bits));
    model.set("F_bits_per_s", ratio(f.communication_bits, f.execution_s));
    model.set("rho_x", number(rho_x));
    model.set("rho_c", number(rho_c));
    model.set("zeta", ratio(rho_x, rho_c));
    add_job_times(model);
    add_use(model);
    out.set("task_model", std::move(model));
    return out;
}

/// Adds means over the jobs that are complete.
void task_model::add_job_times(config::value& out) const {
    cycle_t completion = 0, queued = 0, longest = 0;
    double speedups = 0, bounds = 0;
    for (const job_record& j : m_jobs) {
        if (j.tree != nullptr) continue;
        completion += j.completed - j.arrived;
        longest = std::max(longest, j.completed - j.arrived);
        queued += j.started - j.arrived;
        speedups += speedup(j);
        bounds += j.bound;
    }
    const double period = m_port->cycle_seconds();
    const auto jobs = static_cast<double>(m_completed);
    out.set("speedup", ratio(speedups, jobs));
    out.set("speedup_bound", ratio(bounds, jobs));
    out.set("completion_s", ratio(static_cast<double>(completion) * period, jobs));
    out.set("max_completion_s", number(static_cast<double>(longest) * period));
    out.set("queued_s", ratio(static_cast<double>(queued) * period, jobs));
}

/// Adds the use of nodes and network from the first cycle to the last delivery; losses are a job's.
void task_model::add_use(config::value& out) const {
    const double period = m_port->cycle_seconds();
    const double elapsed = static_cast<double>(m_last - m_port->first_cycle()) * period;
    const auto nodes = static_cast<double>(m_workers.size()), jobs = static_cast<double>(m_completed);
    const auto spent = [&](node_use what) {
        return static_cast<double>(m_used[static_cast<std::size_t>(what)]) * period;
    };
    const double reserved = spent(node_use::reserved), asking = spent(node_use::asking),
                 waiting = spent(node_use::waiting);
    const double bits = 8 * static_cast<double>(m_sent_bytes);
    out.set("node_utilisation", ratio(spent(node_use::computing), (nodes - 1) * elapsed));
    out.set("network_utilisation", ratio(bits, node_bandwidth() * nodes * elapsed));
    out.set("sent_bits", ratio(bits, jobs));
    config::value lost = config::value::map({});
    lost.set("reserved_s", ratio(reserved, jobs));
    lost.set("asking_s", ratio(asking, jobs));
    lost.set("waiting_s", ratio(waiting, jobs));
    lost.set("share", ratio(reserved + asking + waiting, (nodes - 1) * elapsed));
    out.set("lost", std::move(lost));
}

std::vector<std::pair<std::string, std::string>> task_model::tables() const {
    table rows(jobs_form);
    for (std::size_t i = 0; i < m_jobs.size(); ++i) {
        const job_record& j = m_jobs[i];
        if (j.tree != nullptr) continue;
        rows.row(std::uint64_t{i}, std::uint64_t{j.vertices}, std::uint64_t{j.leaves},
                 std::uint64_t{j.delegating}, std::uint64_t{j.depth}, j.arrived, j.started, j.completed,
                 config::number_text(speedup(j)), config::number_text(j.bound));
    }
    return {{jobs_form.file(), rows.text()}};
}

}  // namespace sare::traffic
