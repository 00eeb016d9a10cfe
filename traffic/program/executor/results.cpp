// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/table.h"
#include "traffic/observe/recorder.h"
#include "traffic/program/executor/executor.h"

/// What a run of a program answers.
namespace sare::traffic {

using config::number;
namespace {

const table_form tasks_form{"tasks.csv",
                            {{"task", column::count, "", "Its number."},
                             {"node", column::count, "", "Where it is."},
                             {"events", column::count, "", "Operations that it did."},
                             {"messages", column::count, "messages", "That it sent."},
                             {"bytes", column::count, "bytes", "Of these."},
                             {"compute_cycles", column::count, "cycles", "In which it computed."},
                             {"overhead_cycles", column::count, "cycles", "Spent on sending and receiving."},
                             {"busy_cycles", column::count, "cycles", "Both."},
                             {"blocked_cycles", column::count, "cycles", "In which it waited."},
                             {"finish_cycle", column::count, "cycles", "When it was done."}}};

}  // namespace

const config::schema<executor_parameters>& executor_fields() {
    using p = executor_parameters;
    static const auto fields =
        config::schema<p>()
            .choice("mode", &p::mode, {{"causal", execution::causal}, {"at_will", execution::at_will}},
                    "causal: receives wait for their messages; at_will: no receive and no wait, sends as "
                    "fast as the network takes them")
            .number("cpu_factor", &p::cpu_factor, 0, 1e12, "",
                    "times of computation are multiplied by it; 0: no computation")
            .number("flops_per_second", &p::flops_per_second, 1, 1e30, "1/s",
                    "speed for computation given in operations")
            .number("overhead_send", &p::overhead_send, 0, 1e3, "s", "processor time per send (LogGP o)")
            .number("overhead_receive", &p::overhead_receive, 0, 1e3, "s", "processor time per receive")
            .number("eager_limit", &p::eager_limit, 0, 9e15, "bytes",
                    "larger messages wait until their receive is posted (rendezvous); 0: none does")
            .section("collectives", &p::collectives, collective_fields(), "algorithm of each collective")
            .raw("placement", &p::placement_rule, "placement",
                 "tasks to nodes: a name or a section with name",
                 [](const config::value& v) { return placement_registry::instance().resolve(v); })
            .number("tasks_per_node", &p::tasks_per_node, 1, 1 << 20, "", "tasks of a node")
            .include(inside_node_fields())
            .number("send_queue", &p::send_queue, 1, 1 << 20, "messages",
                    "a blocking send (at_will: any send) waits while so many messages wait in its node")
            .number("cores", &p::cores, 0, 1 << 20, "",
                    "of a task: computations and overheads at a time; 0: no limit")
            .number("node_cores", &p::node_cores, 0, 1 << 20, "",
                    "of a node: computations and overheads of all its tasks at a time; 0: no limit")
            .number("lookahead", &p::lookahead, 1, 1e9, "operations",
                    "that a task has begun, or waits to begin, beside its sequence");
    return fields;
}

std::uint32_t task_count(std::uint32_t tasks, const executor_parameters& p, const workload_context& c) {
    if (tasks != 0) return tasks;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::uint64_t{c.nodes} * p.tasks_per_node, 16777216));
}

config::value executor::results() const {
    config::value out = config::value::map({});
    double computed = 0, overhead = 0, blocked = 0;
    cycle_t most_blocked = 0;
    std::uint64_t operations = 0, messages = 0, bytes = 0;
    for (const auto& t : m_tasks) {
        operations += t.operations;
        messages += t.messages;
        bytes += t.bytes;
        computed += static_cast<double>(t.computed);
        overhead += static_cast<double>(t.overhead);
        blocked += static_cast<double>(t.blocked);
        most_blocked = std::max(most_blocked, t.blocked);
    }
    const auto tasks = static_cast<double>(std::max<std::size_t>(m_tasks.size(), 1));
    const cycle_t makespan = m_port ? m_end - m_port->first_cycle() : 0;
    const double seconds = m_port ? m_port->cycle_seconds() : 0;
    out.set("makespan_cycles", number(makespan));
    out.set("makespan_seconds", number(static_cast<double>(makespan) * seconds));
    out.set("tasks", number(std::uint64_t{m_tasks.size()}));
    out.set("events", number(operations));
    out.set("messages", number(messages));
    out.set("bytes", number(bytes));
    out.set("local_messages", number(m_protocol ? m_protocol->local() : 0));
    out.set("rendezvous_messages", number(m_protocol ? m_protocol->control() : 0));
    const std::uint64_t one_sided = m_protocol ? m_protocol->one_sided_control() : 0;
    if (one_sided != 0) out.set("one_sided_control_messages", number(one_sided));
    out.set("mean_compute_cycles", number(computed / tasks));
    out.set("mean_overhead_cycles", number(overhead / tasks));
    out.set("mean_busy_cycles", number((computed + overhead) / tasks));
    out.set("mean_blocked_cycles", number(blocked / tasks));
    out.set("max_blocked_cycles", number(most_blocked));
    out.set("collectives", m_collectives.results());
    if (!m_marks.empty()) out.set("phases", phases());
    if (m_watch) {
        close_watch();
        m_watch->add_results(out);
    }
    for (auto& [name, result] : m_program->results(ran())) out.set(name, std::move(result));
    const auto warnings = m_program->warnings();
    if (!warnings.empty()) {
        std::vector<config::value> all;
        for (const auto& w : warnings) all.push_back(config::value::scalar(w));
        out.set("warnings", config::value::list(std::move(all)));
    }
    return out;
}

program_run executor::ran() const {
    if (!m_port) return {};
    return {m_port->first_cycle(), m_end, m_port->cycle_seconds()};
}

/// Of every mark: the cycles in which the first and the last task passed it.
config::value executor::phases() const {
    config::value all = config::value::map({});
    for (const auto& [mark, p] : m_marks) {
        config::value one = config::value::map({});
        one.set("first_cycle", number(p.first));
        one.set("last_cycle", number(p.last));
        one.set("count", number(p.count));
        all.set(m_program->phase(mark), one);
    }
    return all;
}

std::vector<std::pair<std::string, std::string>> executor::tables() const {
    table rows(tasks_form);
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        const task& t = m_tasks[i];
        rows.row(std::uint64_t{i}, t.node, t.operations, t.messages, t.bytes, t.computed, t.overhead,
                 t.computed + t.overhead, t.blocked, t.finish);
    }
    auto all = m_program->tables(ran());
    all.insert(all.begin(), {tasks_form.file(), rows.text()});
    if (m_watch) {
        close_watch();
        for (auto& table : m_watch->tables()) all.push_back(std::move(table));
    }
    return all;
}

std::string executor::stuck() const {
    std::string text;
    std::size_t others = 0;
    std::vector<bool> told(m_tasks.size());
    for (std::uint32_t s = 0; s < m_strands.slots(); ++s) {
        const strand& each = m_strands[s];
        if (each.is == state::done || each.is == state::running || told[each.task]) continue;
        told[each.task] = true;
        if (text.empty())
            text = m_program->place(each.task, each.number) + what_holds(each);
        else
            ++others;
    }
    if (others != 0) text += "; " + std::to_string(others) + " other tasks wait too";
    return text;
}

/// The first request that a strand waits for; none: something else.
std::uint32_t executor::awaited(const strand& s) const {
    if (s.is != state::waits) return none;
    if (s.now.until == wait_for::one) return find(s.task, s.now.request);
    std::uint32_t first = none;
    for (std::uint32_t r = 0; r < m_requests.slots(); ++r) {
        const request& x = m_requests[r];
        if (!x.open || x.done || x.strand == none || &m_strands[x.strand] != &s) continue;
        if (s.now.until == wait_for::own && !x.own) continue;
        if (first == none || x.serial < m_requests[first].serial) first = r;
    }
    return first;
}

std::string executor::what_holds(const strand& s) const {
    if (s.is == state::needs) return " waits for an operation that never ends";
    if (s.is == state::lookahead) return " is not begun: too many operations before it never end";
    if (s.now.flushes) return " waits for puts and gets that never end";
    const std::uint32_t open = awaited(s);
    if (open == none) return " waits for room in its source queue";
    const request& r = m_requests[open];
    if (r.peer == none && !r.receive && !r.probe) return " waits for a collective that never ends";
    const std::string tag = r.tag == any_tag ? "any" : std::to_string(r.tag);
    const std::string peer = r.peer == any_source ? "any task" : "task " + std::to_string(r.peer);
    if (r.one_sided) return " waits for a put to " + peer + " or a get from it, which never ends";
    if (r.receive || r.probe)
        return " waits for a message from " + peer + ", tag " + tag + ", that never comes";
    return " waits for " + peer + " to receive its message of tag " + tag + ", which never happens";
}

}  // namespace sare::traffic
