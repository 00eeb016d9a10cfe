// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/failures.h"
#include "tlm/fabric/parts/partition_map.h"
#include "tlm/fabric/run/foreign_endpoint.h"
#include "tlm/nic/params.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/connection.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace sare {

class network_state;
enum class network_scale : std::uint8_t;
class routing_function;
class world;

/// Builds a network of routers, NICs, foreign blocks and links. All routers have the same number of VCs.
/// Call every function before finish(); each throws config::error after it.
class network_builder {
  public:
    using end = link_end;

    explicit network_builder(network_state& net) : m_net(net) {}

    /// Adds a router of 1 to router_terms::most_ports ports and returns its number, from 0. `clock`: period
    /// of the router's clock in cycles of the network, 1 to most_clock. Throws config::error for values out
    /// of range, for no model, for another number of VCs than the network's, and after finish().
    std::uint32_t add_router(std::shared_ptr<const router_model> model, std::uint32_t ports,
                             const clock_ratio& clock = {});
    /// Adds a node with its NIC and returns the node's number, from 0. Throws config::error for parameters
    /// that are out of range or do not fit the network, and after finish().
    std::uint32_t add_nic(const nic_params& params);
    /// Adds a block that is not Sare's own (RTL, a user's module) and returns its number, from 0; `block`
    /// outlives the network.
    std::uint32_t add_foreign(foreign_endpoint& block);
    /// Adds one direction of a link, from `from` to `to`. `in_place_of`: the router or NIC, by its number,
    /// that a foreign `to` stands for; the sender then assumes the buffers and the switching mode of that
    /// router or NIC. A link from or to a foreign block may have latency 0. Throws config::error for link
    /// attributes out of range. That both ends exist and have no such link yet is not checked.
    void connect(const end& from, const end& to, const link_attributes& link,
                 const std::optional<end>& in_place_of = std::nullopt);
    /// Sets the map (topology) and the routing function of the network, in the place of those set before;
    /// both outlive the network. NICs get the clocks that the map gives to its nodes.
    void set_routing(const topology& map, const routing_function& routing);
    /// Sets the links and routers that will fail; an empty schedule changes nothing. Call after set_routing()
    /// (not checked). The network then has no compact implementations of routers (layout_choice) and no route
    /// table, and finish() throws config::error if its routers cannot survive failures.
    void set_failures(failure_schedule all);
    /// Turns on the bit errors of the links whose link_attributes::bit_error_rate is not 0; a flit has
    /// `flit_bits` bits, 1 or more. Call after set_routing(). Neither is checked.
    void set_bit_errors(std::uint32_t flit_bits);
    /// Sets how many threads run the network, one part of it each; results do not depend on it. finish() may
    /// choose fewer: see network_view::threads_obstacle().
    void set_threads(const thread_policy& policy);
    /// Makes this process one of several that run the network; `ranks` says which process runs each router
    /// and node. Call before the first connect() (not checked). Every process adds all routers and NICs;
    /// connect() ignores links between two blocks of other processes.
    void set_world(world& all, partition_map ranks);
    /// Takes the NIC of a node out of the network, as it is modelled outside (external_nics); only its source
    /// queues stay. Throws std::out_of_range for an unknown node.
    void take_over_nic(std::uint32_t node);
    /// Forbids the fast, compact implementations of routers, so that all routers have the layout `wide` (see
    /// layout_choice); results do not depend on it.
    void require_wide_routers();
    /// Turns on the counters of router events (router_event), with which no router has a compact
    /// implementation.
    void count_events();
    /// Turns on bank_check for all kinds of routers: it checks the flits and credits that routers read and
    /// write in each cycle. Without this call only kinds of plugins are checked.
    void check_routers();
    /// Sets the least network_scale by which the network is run, however few routers it has. If its routers
    /// cannot be run densely (see all_foresee()), it is run as large instead of dense and dense_huge. Results
    /// do not depend on it.
    void run_as(network_scale least);
    /// Announces that few packets will be in the network at a time: even a small network is then run from
    /// lists of busy routers (network_scale::large) if all_foresee(). Results do not depend on it.
    void expect_few_packets();
    /// Announces how many flits a node generates in a cycle, in the mean; 0: not known. The choice of
    /// network_scale::dense depends on it (is_dense()), results do not.
    void expect_load(double flits);
    /// Lays out memory and wires all blocks, after which the network can run. Call once. Throws config::error
    /// if blocks do not fit together, such as buffers too small for packets of the switching mode.
    void finish();

  private:
    void refuse_if_finished(const char* what) const;
    void choose_density();
    void note_fastest_links();
    void index_links();
    void make_gates();
    void find_foreign_routers();
    void choose_routing_view();
    std::uint32_t routers_here() const;
    std::uint32_t possible_parts();
    void check_remote_links() const;
    void part_network();
    void make_banks();
    void share_sums();

    network_state& m_net;
    double m_expected_load = 0;  ///< flits per node and cycle; 0: not known
};

}  // namespace sare
