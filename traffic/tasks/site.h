// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "traffic/tasks/tree.h"

/// What the scheduler and the workers of the task model tell each other, and what they live in.
namespace sare::traffic {

constexpr std::uint32_t scheduler_node = 0;  ///< all other nodes are workers

/// A message of the task model. Each crosses the network.
struct note {
    enum class kind : std::uint8_t {
        job,      ///< scheduler to worker: run this job
        request,  ///< worker to scheduler: `count` nodes, please
        answer,   ///< scheduler to worker: these are yours
        subtask,  ///< worker to worker: run this subtask
        result,   ///< and back
        release,  ///< worker to scheduler: the node `count` is free again
        report    ///< worker to scheduler: the job is done, and its worker free
    };
    kind what = kind::job;
    std::uint32_t from = 0;
    std::uint32_t job = 0;
    std::uint32_t vertex = 0;  ///< of a subtask and its result
    std::uint32_t level = 0;   ///< of a subtask and its result: the place of the task that waits for it
    std::uint32_t count = 0;   ///< of a request; of a release: the node
    std::vector<std::uint32_t> nodes;  ///< of an answer
};

/// What a worker does with its time. All but `computing` is lost: the scheduler has no other use for it.
enum class node_use : std::uint8_t {
    idle,       ///< known as free by the scheduler
    reserved,   ///< given away, with nothing to do yet, or no more
    computing,  ///< initialises or aggregates
    asking,     ///< waits for an answer of the scheduler
    waiting     ///< waits for results of others
};
constexpr std::size_t node_uses = 5;

class task_site {
  public:
    virtual ~task_site() = default;
    virtual void send(std::uint32_t to, note n) = 0;
    virtual const job_tree& tree(std::uint32_t job) const = 0;
    virtual void job_started(std::uint32_t job) = 0;
    virtual void job_completed(std::uint32_t job) = 0;
    /// The node computes; worker::computed() is called at the end, and never from within.
    virtual void initialise(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) = 0;
    virtual void aggregate(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) = 0;
    /// From now on.
    virtual void use(std::uint32_t node, node_use what) = 0;
};

}  // namespace sare::traffic
