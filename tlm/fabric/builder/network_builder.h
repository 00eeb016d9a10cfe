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
/// Nothing can be added after finish().
class network_builder {
  public:
    using end = link_end;

    explicit network_builder(network_state& net) : m_net(net) {}

    /// Adds a router of 1 to 64 ports and returns its number, from 0. `clock`: network cycles that one cycle
    /// of the router takes, 1 to most_clock. Throws config::error for values out of range, or another number
    /// of VCs.
    std::uint32_t add_router(std::shared_ptr<const router_model> model, std::uint32_t ports,
                             std::uint32_t clock = 1);
    /// Adds the NIC of the next node and returns the node's number, from 0. Throws config::error for
    /// parameters that are out of range or do not fit the network.
    std::uint32_t add_nic(const nic_params& params);
    /// Adds a block that is not the model's own and returns its number, from 0; `block` outlives the network.
    std::uint32_t add_foreign(foreign_endpoint& block);
    /// Adds a link, one direction, from `from` to `to`. `in_place_of`: router or NIC (number of add_router()
    /// or add_nic()) that a foreign `to` stands for; the sender assumes its buffers and its rule for when a
    /// packet may begin. Throws config::error for invalid attributes.
    void connect(const end& from, const end& to, const link_attributes& link,
                 const std::optional<end>& in_place_of = std::nullopt);
    /// Sets the map and the routing function of the network; both outlive the network.
    void set_routing(const topology& map, const routing_function& routing);
    /// Sets the links and routers that will fail. Call after set_routing(). The network then has no fast
    /// routers and no route table. finish() throws config::error if its routers cannot survive failures.
    void set_failures(failure_schedule all);
    /// Turns on the bit errors that links of the map have (link_attributes::bit_error_rate); a flit has
    /// `flit_bits` bits. Call after set_routing().
    void set_bit_errors(std::uint32_t flit_bits);
    /// Sets how many threads run the network, one part each, which does not change results. finish() may
    /// choose fewer: see network_view::threads_obstacle().
    void set_threads(const thread_policy& policy);
    /// Makes this process one of several that run the network, each the routers and nodes that `ranks` gives
    /// it. Call before the first connect(). Every process adds all routers and NICs; connect() ignores links
    /// between two blocks of other processes.
    void set_world(world& all, partition_map ranks);
    /// Keeps only the source queues of a node in the network, as its NIC is modelled outside (external_nics).
    /// Throws std::out_of_range for an unknown node.
    void take_over_nic(std::uint32_t node);
    /// Takes wide routers only (see layout_choice), which does not change results.
    void require_wide_routers();
    /// Counts the events of routers (router_event), which excludes fast implementations: for statistics.
    void count_events();
    /// Checks routers of all kinds in every cycle, not only those of plugins: see bank_check.
    void check_routers();
    /// Sets the least network_scale by which the network is run, however few routers it has. dense and
    /// dense_huge become large if its routers cannot be run densely (see all_foresee()). Results do not
    /// depend on it.
    void run_as(network_scale least);
    /// Tells that few packets are in the network at a time: even small networks are then run from lists of
    /// awake routers (network_scale::large) if all_foresee(). Results do not depend on it.
    void expect_few_packets();
    /// Tells how many flits a node generates in a cycle, in the mean; 0: not known. is_dense() decides by it;
    /// results do not depend on it.
    void expect_load(double flits);
    /// Lays out memory and wires all blocks; the network can run then. Throws config::error if blocks do not
    /// fit together, such as buffers too small for packets of the switching mode.
    void finish();

  private:
    void choose_density();
    void note_fastest_links();
    void index_links();
    void find_foreign_routers();
    void choose_routing_view();
    std::uint32_t routers_here() const;
    std::uint32_t possible_parts();
    void check_remote_links() const;
    void part_network();
    void make_banks();
    void share_sums();

    network_state& m_net;
    double m_expected_load = 0;  ///< flits a node and cycle
};

}  // namespace sare
