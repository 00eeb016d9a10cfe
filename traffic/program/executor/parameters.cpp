// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/parameters.h"

#include "traffic/placement/placement.h"

#include <algorithm>

namespace sare::traffic {

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
            .section("collectives", &p::collectives, collective_fields(),
                     "algorithm of each collective, with its messages; n: tasks, i: a task, B: bytes of the "
                     "whole vector, b: bytes of a task's block")
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

}  // namespace sare::traffic
