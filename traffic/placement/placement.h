// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

/// Placement: which task of a program runs on which node. One file per policy.
namespace sare::traffic {

/// The tasks to place.
struct placement_request {
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 1;          ///< at most
    std::string title;                         ///< name in error messages: "the trace 'x'"
    const std::vector<bool>* taken = nullptr;  ///< nodes that others have, where there are others
};

class placement {
  public:
    virtual ~placement() = default;
    /// The node of every task. Throws config::error if they do not fit.
    virtual std::vector<std::uint32_t> nodes_of(const placement_request& what,
                                                const traffic_port& port) const = 0;
    /// Tasks that it has places for; 0: as many as there are nodes.
    virtual std::uint32_t tasks() const { return 0; }
};

/// File names in its section are relative to `folder`.
struct placement_context {
    std::string folder;
    config::location at;             ///< the section of the workload, for errors
    std::uint32_t application = 0;   ///< number of the application to place, of several
    std::uint32_t applications = 0;  ///< how many there are; 0: not known
};
using placement_registry = config::registry<placement, const placement_context&>;

/// Policies that are an order of the nodes: tasks fill them in that order, `tasks_per_node` each.
class node_order : public placement {
  public:
    explicit node_order(config::location at) : m_at(std::move(at)) {}
    std::vector<std::uint32_t> nodes_of(const placement_request& what, const traffic_port& port) const final;

  protected:
    virtual void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const = 0;  ///< 0, 1, ...

  private:
    config::location m_at;
};

/// Coordinates of a node in a grid, dimension 0 fastest.
std::vector<std::uint32_t> coordinates_of(std::uint32_t node, const std::vector<std::uint32_t>& dims);

}  // namespace sare::traffic
