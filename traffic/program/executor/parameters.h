// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/collective/collective.h"
#include "traffic/program/messages/inside_node.h"

namespace sare {
struct workload_context;
}

namespace sare::traffic {

enum class execution { causal, at_will };

struct executor_parameters : inside_node {
    execution mode = execution::causal;
    double cpu_factor = 1;
    double flops_per_second = 1e9;
    double overhead_send = 0, overhead_receive = 0;  ///< seconds
    std::uint64_t eager_limit = 0;
    collective_choice collectives;
    config::value placement_rule;  ///< a section of placement_registry
    std::uint32_t tasks_per_node = 1;
    std::uint32_t send_queue = 16;
    std::uint32_t cores = 1, node_cores = 0;
    std::uint32_t lookahead = 65536;

    bool causal() const { return mode == execution::causal; }
};
/// Returns the schema of these parameters, for every workload that is a program.
const config::schema<executor_parameters>& executor_fields();
/// Returns the tasks of a program that may have any number: `tasks`, or as many as the nodes have room for.
std::uint32_t task_count(std::uint32_t tasks, const executor_parameters& p, const workload_context& c);

}  // namespace sare::traffic
