// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "traffic/tasks/tree.h"

/// Messages of the scheduler and the workers of the task model, and their interface to the model.
namespace sare::traffic {

constexpr std::uint32_t scheduler_node = 0;  ///< node of the scheduler; all other nodes are workers

/// A message of the task model, which crosses the network.
struct note {
    enum class kind : std::uint8_t {
        job,      ///< scheduler to worker: run the job with number `job`
        request,  ///< worker to scheduler: asks for `count` nodes that help with `job`
        answer,   ///< scheduler to worker: the workers in `nodes` help with `job`; there may be none
        subtask,  ///< worker to worker: run the subtask `vertex` of `job`
        result,   ///< worker to worker: the result of the subtask `vertex`
        release,  ///< worker to scheduler: the worker with number `count` is free again
        report    ///< worker to scheduler: the job is done, and the worker that sends this is free
    };
    kind what = kind::job;     ///< kind of the message
    std::uint32_t from = 0;    ///< node that sends the message
    std::uint32_t job = 0;     ///< number of the job, from 0 in the order of arrival; all kinds
    std::uint32_t vertex = 0;  ///< subtask and result: vertex of the job's tree
    std::uint32_t level = 0;  ///< subtask and result: index, in the stack of the worker that gave the subtask
                              ///< away, of the task that waits for the result
    std::uint32_t count = 0;  ///< request: number of nodes asked for; release: number of the worker that is
                              ///< free
    std::vector<std::uint32_t> nodes;  ///< answer: numbers of the workers given
};

/// Use of a worker's time, in the results. Only the time `computing` is useful work.
enum class node_use : std::uint8_t {
    idle,       ///< known as free by the scheduler
    reserved,   ///< given to a job, but with nothing to do yet, or with nothing more to do
    computing,  ///< initialises or aggregates a task
    asking,     ///< waits for an answer of the scheduler
    waiting     ///< waits for results of subtasks from other workers
};
/// Number of values of node_use.
constexpr std::size_t node_uses = 5;

/// Interface to the task model that its scheduler and workers use.
class task_site {
  public:
    virtual ~task_site() = default;
    /// Sends message `n` from node n.from to node `to` through the network.
    virtual void send(std::uint32_t to, note n) = 0;
    /// Returns the tree of a job, which must have arrived and not be complete (not checked).
    virtual const job_tree& tree(std::uint32_t job) const = 0;
    virtual void job_started(std::uint32_t job) = 0;  ///< called when the scheduler gives the job to a worker
    /// Called when the report of the job has reached the scheduler.
    virtual void job_completed(std::uint32_t job) = 0;
    /// Begin the initialisation, or the aggregation, of a vertex of a job on `node`. When its time is over,
    /// worker::computed() of this node is called, but not before these functions have returned.
    virtual void initialise(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) = 0;
    virtual void aggregate(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) = 0;
    /// Sets the use of the time of `node` from the present cycle on.
    virtual void use(std::uint32_t node, node_use what) = 0;
};

}  // namespace sare::traffic
