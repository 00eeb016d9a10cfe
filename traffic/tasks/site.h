// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "traffic/tasks/tree.h"

/// Messages of the scheduler and the workers of the task model, and their surroundings.
namespace sare::traffic {

constexpr std::uint32_t scheduler_node = 0;  ///< node of the scheduler; all others are workers

/// A message of the task model, which crosses the network.
struct note {
    enum class kind : std::uint8_t {
        job,      ///< scheduler to worker: run this job
        request,  ///< worker to scheduler: `count` nodes, please
        answer,   ///< scheduler to worker: the nodes that are yours
        subtask,  ///< worker to worker: run this subtask
        result,   ///< worker to worker: the result of a subtask
        release,  ///< worker to scheduler: the node `count` is free again
        report    ///< worker to scheduler: the job is done, and its worker free
    };
    kind what = kind::job;
    std::uint32_t from = 0;
    std::uint32_t job = 0;
    std::uint32_t vertex = 0;          ///< vertex of a subtask and its result
    std::uint32_t level = 0;           ///< subtask and result: place of the task that waits for it
    std::uint32_t count = 0;           ///< count of a request; release: the node
    std::vector<std::uint32_t> nodes;  ///< nodes of an answer
};

/// The use of a worker's time. All but `computing` is lost: the scheduler has no other use for it.
enum class node_use : std::uint8_t {
    idle,       ///< known as free by the scheduler
    reserved,   ///< given away, with nothing to do yet, or no more
    computing,  ///< initialises or aggregates tasks
    asking,     ///< waits for an answer of the scheduler
    waiting     ///< waits for results of other nodes
};
constexpr std::size_t node_uses = 5;

class task_site {
  public:
    virtual ~task_site() = default;
    virtual void send(std::uint32_t to, note n) = 0;
    virtual const job_tree& tree(std::uint32_t job) const = 0;
    virtual void job_started(std::uint32_t job) = 0;
    virtual void job_completed(std::uint32_t job) = 0;
    /// Lets the node compute; worker::computed() is called at the end, and never from within.
    virtual void initialise(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) = 0;
    virtual void aggregate(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) = 0;
    /// Notes the use of a node's time from now on.
    virtual void use(std::uint32_t node, node_use what) = 0;
};

}  // namespace sare::traffic
