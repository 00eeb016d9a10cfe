// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

/// Placement: which task of a program runs on which node. One file per policy.
namespace sare::traffic {

/// The tasks to place, and the room for them.
struct placement_request {
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 1;          ///< most tasks on a node
    std::string title;                         ///< name in error messages: "the trace 'x'"
    const std::vector<bool>* taken = nullptr;  ///< nodes that others have; null: there are no others
};

class placement {
  public:
    virtual ~placement() = default;
    /// Returns the node of every task. Throws config::error if the nodes have no room for all.
    virtual std::vector<std::uint32_t> nodes_of(const placement_request& what,
                                                const traffic_port& port) const = 0;
    /// Returns the number of tasks that the policy places; 0: any number that the nodes have room for.
    virtual std::uint32_t tasks() const { return 0; }
};

/// The surroundings of a placement: files named in its section are relative to `folder`.
struct placement_context {
    std::string folder;
    config::location at;             ///< place of the workload's section, for errors
    std::uint32_t application = 0;   ///< number of the application to place
    std::uint32_t applications = 0;  ///< number of applications; 0: not known
};
using placement_registry = config::registry<placement, const placement_context&>;

/// A policy that is an order of the nodes: tasks fill them in that order, `tasks_per_node` each.
class node_order : public placement {
  public:
    explicit node_order(config::location at) : m_at(std::move(at)) {}
    std::vector<std::uint32_t> nodes_of(const placement_request& what, const traffic_port& port) const final;

  protected:
    /// Puts the nodes, which are in ascending order, into the policy's order.
    virtual void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const = 0;

  private:
    config::location m_at;
};

/// Returns the coordinates of a node in a grid of sizes `dims`; dimension 0 varies fastest.
std::vector<std::uint32_t> coordinates_of(std::uint32_t node, const std::vector<std::uint32_t>& dims);

}  // namespace sare::traffic
