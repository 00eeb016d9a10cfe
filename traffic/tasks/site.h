// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "traffic/tasks/tree.h"

/// Messages of the scheduler and the workers of the task model, and their interface to the model.
namespace sare::traffic {

constexpr std::uint32_t scheduler_node = 0;  ///< node of the scheduler; all others are workers

/// A message of the task model, which crosses the network.
struct note {
    enum class kind : std::uint8_t {
        job,      ///< scheduler to worker: run this job
        request,  ///< worker to scheduler: asks for `count` nodes
        answer,   ///< scheduler to worker: the nodes that it gets
        subtask,  ///< worker to worker: run this subtask
        result,   ///< worker to worker: the result of a subtask
        release,  ///< worker to scheduler: the node `count` is free again
        report    ///< worker to scheduler: the job is done, and its worker free
    };
    kind what = kind::job;
    std::uint32_t from = 0;    ///< node that sends it
    std::uint32_t job = 0;     ///< number of the job, from 0 in order of arrival
    std::uint32_t vertex = 0;  ///< vertex of a subtask and its result
    std::uint32_t level = 0;   ///< subtask and result: index, in its worker's stack, of the waiting task
    std::uint32_t count = 0;   ///< request: number of nodes; release: the node
    std::vector<std::uint32_t> nodes;  ///< nodes of an answer
};

/// The use of a worker's time. Only the time `computing` is useful.
enum class node_use : std::uint8_t {
    idle,       ///< known as free by the scheduler
    reserved,   ///< given to a job, with nothing to do yet, or no longer
    computing,  ///< initialises or aggregates tasks
    asking,     ///< waits for an answer of the scheduler
    waiting     ///< waits for results of other nodes
};
constexpr std::size_t node_uses = 5;

/// The task model as its scheduler and workers see it.
class task_site {
  public:
    virtual ~task_site() = default;
    virtual void send(std::uint32_t to, note n) = 0;            ///< sends a message to a node
    virtual const job_tree& tree(std::uint32_t job) const = 0;  ///< tree of a job that is not complete
    virtual void job_started(std::uint32_t job) = 0;            ///< a job is given to a worker
    virtual void job_completed(std::uint32_t job) = 0;          ///< the report of a job has come
    /// Make a node compute. worker::computed() is called at the end, but not before these functions return.
    virtual void initialise(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) = 0;
    virtual void aggregate(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) = 0;
    /// Notes the use of a node's time from now on.
    virtual void use(std::uint32_t node, node_use what) = 0;
};

}  // namespace sare::traffic
