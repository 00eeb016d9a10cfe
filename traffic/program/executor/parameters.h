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
    /// causal: receives wait for their messages; at_will: there are no receives and waits.
    execution mode = execution::causal;
    double cpu_factor = 1;                           ///< factor of all times of computation
    double flops_per_second = 1e9;                   ///< speed for computation that is given in operations
    double overhead_send = 0, overhead_receive = 0;  ///< seconds of a core for a send, and for a receive
    std::uint64_t eager_limit = 0;     ///< bytes; larger messages go by rendezvous; 0: none does
    collective_choice collectives;     ///< algorithm of each collective
    config::value placement_rule;      ///< a section of placement_registry
    std::uint32_t tasks_per_node = 1;  ///< most tasks on a node
    /// Messages in a node's source queue with which a blocking send (at_will: any send) waits.
    std::uint32_t send_queue = 16;
    std::uint32_t cores = 1,
                  node_cores = 0;     ///< cores of a task, and of a node for all its tasks; 0: no limit
    std::uint32_t lookahead = 65536;  ///< most operations of a task that go on beside its sequence

    bool causal() const { return mode == execution::causal; }
};
/// Returns the schema of these parameters, for every workload that is a program.
const config::schema<executor_parameters>& executor_fields();
/// Returns the number of tasks of a program that may have any number: `tasks`, or if that is 0 as many as the
/// nodes have room for.
std::uint32_t task_count(std::uint32_t tasks, const executor_parameters& p, const workload_context& c);

}  // namespace sare::traffic
