// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/collective/collective.h"
#include "traffic/program/messages/inside_node.h"

namespace sare {
struct workload_context;
}

namespace sare::traffic {

/// Mode of a run. causal: receives wait for their messages; at_will: there are no receives and no waits, and
/// tasks send as fast as the network accepts messages.
enum class execution { causal, at_will };

/// Parameters of all workloads that are programs.
struct executor_parameters : inside_node {
    /// Mode of the run: whether tasks wait for each other.
    execution mode = execution::causal;
    double cpu_factor = 1;  ///< factor on all times of computation; 0: computation takes no time
    /// Floating-point operations per second, for computation that is given in operations.
    double flops_per_second = 1e9;
    double overhead_send = 0, overhead_receive = 0;  ///< seconds for which a send, and a receive, takes a
                                                     ///< core
    std::uint64_t eager_limit = 0;  ///< largest message, in bytes, that is sent at once; larger ones wait for
                                    ///< their receive to be posted (rendezvous); 0: no message waits
    collective_choice collectives;  ///< algorithm of each kind of collective
    config::value placement_rule;   ///< name or section of a placement (traffic/placement/placement.h)
    std::uint32_t tasks_per_node = 1;  ///< largest number of tasks on a node, at least 1
    /// A blocking send (with at_will, any send) waits while its node's source queue has at least this many
    /// messages.
    std::uint32_t send_queue = 16;
    std::uint32_t cores = 1,
                  node_cores = 0;     ///< cores of a task, and of a node for all its tasks; 0: no limit
    std::uint32_t lookahead = 65536;  ///< largest number of operations of a task that have begun, or wait for
                                      ///< their needs, beside its sequence; at the limit, the task waits

    /// Returns true if the mode is causal.
    bool causal() const { return mode == execution::causal; }
};
/// Returns the schema of executor_parameters.
const config::schema<executor_parameters>& executor_fields();
/// Returns the number of tasks of a program that may have any number: `tasks`; if that is 0, tasks_per_node
/// for each node, at most 2^24.
std::uint32_t task_count(std::uint32_t tasks, const executor_parameters& p, const workload_context& c);

}  // namespace sare::traffic
