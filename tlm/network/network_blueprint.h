// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/parts/partition_map.h"
#include "tlm/network/experiment.h"
#include "tlm/network/router_plan.h"
#include "tlm/router_api/class_vcs.h"
#include "tlm/routing/deadlock/deadlock.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <memory>

namespace sare {

class network_builder;
class world;
struct failure_schedule;

/// Parts of a network at flit level, made from an experiment: topology, routing function, models of routers
/// and parameters of NICs. SystemC's modules (network) and a network that a client steps (fabric_engine) are
/// built from the same blueprint.
class network_blueprint {
  public:
    /// `map`: topology of `e`, which may be shared. `classes`: number of message classes of the traffic.
    /// Throws config::error for parts that do not fit together, and for an experiment that is not at flit
    /// level.
    network_blueprint(const experiment& e, std::shared_ptr<const topology> map, std::uint32_t classes);
    ~network_blueprint();

    const topology& map() const { return *m_map; }      ///< topology
    const router_plan& plan() const { return m_plan; }  ///< models of all routers
    /// Routing function, valid as long as this object.
    const routing_function& routing() const { return *m_routing; }
    /// Parameters of all NICs, with the packet length that the routers demand.
    const nic_params& nic() const { return m_nic; }
    /// Number of VCs of a port, of all message classes together.
    std::uint32_t vcs() const { return m_plan.terms(0).vcs; }
    /// Number of message classes.
    std::uint32_t classes() const { return m_classes; }

    /// Returns the VCs of a port that each message class may use.
    const class_vcs& shares() const { return m_shares; }
    /// True if no packet of a message class can wait in the network behind one of another class.
    bool keeps_classes_apart() const;
    /// Makes the static check for deadlock of routing and buffers, for all message classes together. If
    /// `failures` changes the routing, the network that is left after the failures of each cycle is checked
    /// too. `most_calls`: most calls of routing_function::route(); if more are needed, the verdict is
    /// `skipped`.
    deadlock_report check_deadlock(const failure_schedule& failures,
                                   std::uint64_t most_calls = deadlock_question().most_calls) const;
    /// Returns the failures of links and routers that `e` describes. Throws config::error for `classes`
    /// (number of message classes) that do not divide the VCs, and for a routing function that cannot route
    /// around failures.
    failure_schedule failures(const experiment& e, std::uint32_t classes) const;
    /// Returns which process runs which routers and nodes: one part for each rank of `all`. All processes
    /// must call it. Throws config::error in each of them if there are more ranks than routers, or if the
    /// processes do not compute the same parts.
    partition_map cut_for(world& all) const;
    /// Gives a builder the number of threads, the routing function, and the failures and bit errors of links.
    /// Call before any router is added.
    void prepare(network_builder& builder, const experiment& e) const;
    /// Adds all routers, NICs and links to a builder after prepare().
    void add_all(network_builder& builder) const;

  private:
    const std::shared_ptr<const topology> m_map;
    const std::uint32_t m_classes;
    const router_plan m_plan;
    const class_vcs m_shares;
    const bool m_own_links;  ///< some message classes have links of their own
    const std::unique_ptr<routing_function> m_routing;
    const std::unique_ptr<routing_function> m_marking;  ///< m_routing with marks; null: routers do not mark
    const nic_params m_nic;
};

}  // namespace sare
