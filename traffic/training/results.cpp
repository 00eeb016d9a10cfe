// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"
#include "tlm/stats/table.h"
#include "traffic/training/training.h"

/// The results of a run of a training.
namespace sare::traffic {

using config::number;
namespace {

const table_form steps_form{"steps.csv", R"(
    step: count. Its number.
    end_cycle: count in cycles. When the last task was through it.
)"};

}  // namespace

void training::passed(std::uint32_t task, std::int64_t mark, cycle_t now) {
    planned_program::passed(task, mark, now);
    if (mark != step_end) return;
    task_progress& p = m_at[task];
    p.over = now;
    if (p.steps_over == m_step_ends.size()) m_step_ends.push_back(now);
    cycle_t& end = m_step_ends[p.steps_over++];
    end = std::max(end, now);
}

void training::add_up(world& all) {
    planned_program::add_up(all);
    all.sum(m_bytes, step_end);
    all.sum_members(m_at, &task_progress::steps_over, &task_progress::over);
    m_step_ends.resize(all.most(m_step_ends.size()));
    for (cycle_t& end : m_step_ends) end = all.most(end);
}

void training::serialize(archive& a) {
    planned_program::serialize(a);
    a(m_at, m_bytes, m_step_ends);
}

config::value training::bytes() const {
    config::value all = config::value::map({});
    for (std::size_t s = pipeline; s < step_end; ++s) all.set(times().names()[s], number(m_bytes[s]));
    return all;
}

std::vector<std::pair<std::string, config::value>> training::results(const program_run& run) const {
    const auto tasks = static_cast<double>(m_at.size());
    const cycle_t end = m_step_ends.empty() ? run.first : m_step_ends.back();
    const auto all_cycles = static_cast<double>(end - run.first) * tasks;
    const auto steps = static_cast<double>(std::max<std::size_t>(m_step_ends.size(), 1));
    // A stage idles when it waits for its neighbours, and when it is through before others are.
    double idle = times().sum(pipeline), exposed = 0;
    for (const auto& p : m_at) idle += static_cast<double>(p.steps_over == 0 ? 0 : end - p.over);
    for (const state s : {tensor, experts, gradients, parameters}) exposed += times().sum(s);
    config::value out = config::value::map({});
    for (const auto& [name, degree] :
         {std::pair{"data", m_grid.data}, {"tensor", m_grid.tensor}, {"pipeline", m_grid.pipeline}})
        out.set(name, number(degree));
    out.set("step_s", number(all_cycles / tasks / steps * run.cycle_seconds));
    out.set("exposed_communication_s", number(exposed / tasks / steps * run.cycle_seconds));
    out.set("bubble_fraction", number(all_cycles > 0 ? idle / all_cycles : 0));
    out.set("states", times().results(run.cycle_seconds));
    out.set("bytes", bytes());
    return {{"training", out}};
}

std::vector<std::pair<std::string, std::string>> training::tables(const program_run& run) const {
    table steps(steps_form);
    for (std::size_t i = 0; i < m_step_ends.size(); ++i) steps.row(std::uint64_t{i}, m_step_ends[i]);
    auto all = planned_program::tables(run);
    all.emplace_back(steps_form.file(), steps.text());
    return all;
}

}  // namespace sare::traffic
