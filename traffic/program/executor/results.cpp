// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/table.h"
#include "traffic/program/executor/executor.h"
#include "traffic/program/executor/interpreter.h"

#include <algorithm>

/// The results of a run of a program.
namespace sare::traffic {

using config::number;
namespace {

const table_form tasks_form{"tasks.csv", R"(
    task: count. Its number.
    node: count. Where it is.
    events: count. Operations that it did.
    messages: count in messages. That it sent.
    bytes: count in bytes. Of these.
    compute_cycles: count in cycles. In which it computed.
    overhead_cycles: count in cycles. Spent on sending and receiving.
    busy_cycles: count in cycles. Both.
    blocked_cycles: count in cycles. In which it waited.
    finish_cycle: count in cycles. When it was done.
)"};

/// Sums over all tasks.
struct totals {
    double computed = 0, overhead = 0, blocked = 0;
    cycle_t most_blocked = 0;
    std::uint64_t operations = 0, messages = 0, bytes = 0;

    void add(const interpreter& of, std::uint32_t task) {
        const stages& doing = of.doing();
        operations += of.operations(task);
        messages += doing.messages_of(task);
        bytes += doing.bytes_of(task);
        computed += static_cast<double>(doing.cores().computed(task));
        overhead += static_cast<double>(doing.cores().overhead(task));
        blocked += static_cast<double>(doing.threads().blocked(task));
        most_blocked = std::max(most_blocked, doing.threads().blocked(task));
    }
};

void set_messages(config::value& out, const protocol* p) {
    out.set("local_messages", number(p ? p->local() : 0));
    out.set("rendezvous_messages", number(p ? p->control() : 0));
    if (p && p->one_sided_control() != 0)
        out.set("one_sided_control_messages", number(p->one_sided_control()));
}

config::value warnings_of(const program& what) {
    std::vector<config::value> all;
    for (const auto& w : what.warnings()) all.push_back(config::value::scalar(w));
    return config::value::list(std::move(all));
}

}  // namespace

config::value executor::results() const {
    config::value out = config::value::map({});
    totals all;
    const auto started = static_cast<std::uint32_t>(m_node_of.size());
    for (std::uint32_t i = 0; i < started; ++i) all.add(*m_tasks, i);
    const double tasks = std::max(started, 1U);
    const program_run its = ran();
    const cycle_t makespan = its.end - its.first;
    out.set("makespan_cycles", number(makespan));
    out.set("makespan_seconds", number(static_cast<double>(makespan) * its.cycle_seconds));
    out.set("tasks", number(std::uint64_t{started}));
    out.set("events", number(all.operations));
    out.set("messages", number(all.messages));
    out.set("bytes", number(all.bytes));
    set_messages(out, m_tasks ? &m_tasks->doing().messages() : nullptr);
    out.set("mean_compute_cycles", number(all.computed / tasks));
    out.set("mean_overhead_cycles", number(all.overhead / tasks));
    out.set("mean_busy_cycles", number((all.computed + all.overhead) / tasks));
    out.set("mean_blocked_cycles", number(all.blocked / tasks));
    out.set("max_blocked_cycles", number(all.most_blocked));
    out.set("collectives", m_tasks ? m_tasks->called().results() : config::value::map({}));
    if (m_tasks && !m_tasks->marks().empty()) out.set("phases", m_tasks->marks().results(*m_program));
    if (m_observer) {
        close_observer();
        m_observer->add_results(out);
    }
    for (auto& [name, result] : m_program->results(its)) out.set(name, std::move(result));
    if (!m_program->warnings().empty()) out.set("warnings", warnings_of(*m_program));
    return out;
}

program_run executor::ran() const {
    if (m_tasks == nullptr) return {};
    return {m_port->first_cycle(), end(), m_port->cycle_seconds()};
}

/// Closes the observer, of a run that was stopped as far as it came.
void executor::close_observer() const {
    m_observer->close(finished() ? end() : std::max(end(), m_port->now()));
}

std::vector<std::pair<std::string, std::string>> executor::tables() const {
    table rows(tasks_form);
    for (std::uint32_t i = 0; i < m_node_of.size(); ++i) {
        const stages& doing = m_tasks->doing();
        const cycle_t computed = doing.cores().computed(i), overhead = doing.cores().overhead(i);
        rows.row(std::uint64_t{i}, m_node_of[i], m_tasks->operations(i), doing.messages_of(i),
                 doing.bytes_of(i), computed, overhead, computed + overhead, doing.threads().blocked(i),
                 m_tasks->finish(i));
    }
    auto all = m_program->tables(ran());
    all.insert(all.begin(), {tasks_form.file(), rows.text()});
    if (m_observer) {
        close_observer();
        for (auto& each : m_observer->tables()) all.push_back(std::move(each));
    }
    return all;
}

result_streams executor::files() const {
    return m_observer ? m_observer->files() : result_streams{};
}

}  // namespace sare::traffic
