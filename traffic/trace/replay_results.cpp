// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/replay.h"

#include <algorithm>

namespace sare::traffic {
namespace {

config::value number(double x) {
    return config::value::scalar(config::number_text(x));
}
config::value number(std::uint64_t x) {
    return config::value::scalar(std::to_string(x));
}

const config::registration<workload, const workload_context&> registered{
    "trace", "Replays a recorded trace of messages, computation and collectives.",
    config::schema<replay_parameters>()
        .text("file", &replay_parameters::file, "the trace (SimGrid: its index file), plain or compressed")
        .text("format", &replay_parameters::format, "auto, or the name of a trace format (sare, simgrid)")
        .choice(
            "mode", &replay_parameters::mode,
            {{"causal", replay_mode::causal}, {"at_will", replay_mode::at_will}},
            "causal: receives wait for their messages; at_will: no receive and no wait, sends as fast as the "
            "network takes them")
        .number("cpu_factor", &replay_parameters::cpu_factor, 0, 1e12, "",
                "times of computation are multiplied by it; 0: no computation")
        .number("flops_per_second", &replay_parameters::flops_per_second, 1, 1e30, "1/s",
                "speed for computation given in operations")
        .number("overhead_send", &replay_parameters::overhead_send, 0, 1e3, "s",
                "processor time per send (LogGP o)")
        .number("overhead_receive", &replay_parameters::overhead_receive, 0, 1e3, "s",
                "processor time per receive")
        .number("eager_limit", &replay_parameters::eager_limit, 0, 9e15, "bytes",
                "larger messages wait until their receive is posted (rendezvous); 0: none does")
        .section("collectives", &replay_parameters::collectives, collective_fields(),
                 "algorithm of each collective")
        .choice("placement", &replay_parameters::where,
                {{"consecutive", placement::consecutive}, {"random", placement::random}}, "tasks to nodes")
        .number("tasks_per_node", &replay_parameters::tasks_per_node, 1, 1 << 20, "", "tasks of a node")
        .number("local_latency", &replay_parameters::local_latency, 0, 1e3, "s",
                "of messages inside a node, which do not enter the network")
        .number("local_bandwidth", &replay_parameters::local_bandwidth, 0, 1e30, "bytes/s",
                "of messages inside a node; 0: no limit")
        .number("send_queue", &replay_parameters::send_queue, 1, 1 << 20, "messages",
                "a blocking send (at_will: any send) waits while so many messages wait in its node"),
    [](const replay_parameters& p, const config::value& section, const workload_context& c) {
        return new replay(p, section.where(), c.folder);
    }};

}  // namespace

config::value replay::results() const {
    config::value out = config::value::map({});
    double computed = 0, overhead = 0, blocked = 0;
    cycle_t most_blocked = 0;
    std::uint64_t events = 0, messages = 0, bytes = 0;
    for (const auto& t : m_tasks) {
        events += t.events;
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
    out.set("events", number(events));
    out.set("messages", number(messages));
    out.set("bytes", number(bytes));
    out.set("local_messages", number(m_local));
    out.set("rendezvous_messages", number(m_control));
    out.set("mean_compute_cycles", number(computed / tasks));
    out.set("mean_overhead_cycles", number(overhead / tasks));
    out.set("mean_busy_cycles", number((computed + overhead) / tasks));
    out.set("mean_blocked_cycles", number(blocked / tasks));
    out.set("max_blocked_cycles", number(most_blocked));
    config::value expanded = config::value::map({});
    for (const auto& [what, count] : m_expanded) {
        config::value one = config::value::map({});
        one.set("count", number(count));
        one.set("algorithm", config::value::scalar(m.collectives.of(what).name));
        expanded.set(op_name(what), one);
    }
    out.set("collectives", expanded);
    if (!m_reader->warnings().empty()) {
        std::vector<config::value> all;
        for (const auto& w : m_reader->warnings()) all.push_back(config::value::scalar(w));
        out.set("warnings", config::value::list(std::move(all)));
    }
    return out;
}

std::vector<std::pair<std::string, std::string>> replay::tables() const {
    std::string csv =
        "task,node,events,messages,bytes,compute_cycles,overhead_cycles,busy_cycles,blocked_cycles,finish_"
        "cycle\n";
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        const task& t = m_tasks[i];
        std::string line = std::to_string(i);
        for (const std::uint64_t x : {std::uint64_t{t.node}, t.events, t.messages, t.bytes, t.computed,
                                      t.overhead, t.computed + t.overhead, t.blocked, t.finish})
            line += "," + std::to_string(x);
        csv += line + "\n";
    }
    return {{"tasks.csv", csv}};
}

std::string replay::stuck() const {
    std::string text;
    std::size_t others = 0;
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        const task& t = m_tasks[i];
        if (t.now == state::done || t.now == state::running) continue;
        if (!text.empty()) {
            ++others;
            continue;
        }
        text = m_reader->where(static_cast<std::uint32_t>(i), t.current).text() + ": task " +
               std::to_string(i) + ", event " + std::to_string(t.current.number) + " (" +
               event_text(t.current) + ")";
        const auto open = std::find_if(t.requests.begin(), t.requests.end(), [&t](const request& r) {
            if (r.done) return false;
            if (t.now == state::waits_all) return true;
            return t.now == state::waits_one ? r.name == t.awaited : r.name == 0;
        });
        if (open == t.requests.end())
            text += " waits for room in its source queue";
        else if (open->receive)
            text += " waits for a message from task " + std::to_string(open->peer) + ", tag " +
                    std::to_string(open->tag) + ", that never comes";
        else
            text += " waits for task " + std::to_string(open->peer) + " to receive its message of tag " +
                    std::to_string(open->tag) + ", which never happens";
    }
    if (others != 0) text += "; " + std::to_string(others) + " other tasks wait too";
    return text;
}

}  // namespace sare::traffic
