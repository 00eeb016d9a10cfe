// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare::traffic {

/// A request to place the tasks of a program on nodes.
struct placement_request {
    /// Number of tasks.
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 1;  ///< largest number of tasks of the program on a node
    std::string title;                 ///< name of the program in error messages, such as "the trace 'x'"
    const std::vector<bool>* taken = nullptr;  ///< for each node, true if another program has it and it must
                                               ///< not be used; null: all nodes may be used
};

/// A policy that decides which task of a program runs on which node.
class placement {
  public:
    virtual ~placement() = default;
    /// Returns the node of each task, by its number. Throws config::error, at the section or file of the
    /// policy, if the nodes that may be used have no room for all tasks, or a list of nodes does not fit
    /// them.
    virtual std::vector<std::uint32_t> nodes_of(const placement_request& what,
                                                const traffic_port& port) const = 0;
    /// Returns the exact number of tasks for which the policy (a list in a file) has nodes; 0: any number.
    virtual std::uint32_t tasks() const { return 0; }
};

/// Context in which placement_registry makes a policy, besides the policy's own section.
struct placement_context {
    /// Folder to which names of files in the section are relative.
    std::string folder;
    config::location at;             ///< place of the workload's section, for errors
    std::uint32_t application = 0;   ///< number, from 0, of the application to place, if a workload has
                                     ///< several
    std::uint32_t applications = 0;  ///< number of applications of the workload; 0: not known
};
/// The registry of policies by name.
using placement_registry = config::registry<placement, const placement_context&>;

/// A policy that is an order of the nodes: `tasks_per_node` consecutive tasks go to each node, in that order.
class node_order : public placement {
  public:
    /// `at`: place of the policy's section, for errors.
    explicit node_order(config::location at) : m_at(std::move(at)) {}
    std::vector<std::uint32_t> nodes_of(const placement_request& what, const traffic_port& port) const final;

  protected:
    /// Puts `nodes`, all nodes of the network in ascending order, into the order of the policy. Nodes that
    /// are taken are removed afterwards.
    virtual void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const = 0;

  private:
    config::location m_at;
};

/// Returns the coordinates of a node in a grid with `dims[i]` nodes in dimension i; dimension 0 varies
/// fastest. Does not check that the grid has the node.
std::vector<std::uint32_t> coordinates_of(std::uint32_t node, const std::vector<std::uint32_t>& dims);

}  // namespace sare::traffic
