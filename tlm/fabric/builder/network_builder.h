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

/// Makes a network of routers, NICs, foreign blocks and links. All routers have the same number of VCs. After
/// finish() nothing can be added.
class network_builder {
  public:
    using end = link_end;

    explicit network_builder(network_state& net) : m_net(net) {}

    /// Adds a router of 1 to 64 ports and returns its number. `clock`: network cycles that one of its cycles
    /// takes. Throws config::error for what cannot be.
    std::uint32_t add_router(std::shared_ptr<const router_model> model, std::uint32_t ports,
                             std::uint32_t clock = 1);
    std::uint32_t add_nic(const nic_params& params);
    std::uint32_t add_foreign(foreign_endpoint& block);
    /// Links `from` to `to`, one direction. `in_place_of`: the router or NIC that a foreign `to` stands for
    /// (numbered by add_router() or add_nic()); the sender treats it as that: its buffers, and when a packet
    /// may begin. Throws config::error for attributes that no link has.
    void connect(const end& from, const end& to, const link_attributes& link,
                 const std::optional<end>& in_place_of = std::nullopt);
    /// The network's map and its routing function; both outlive the network.
    void set_routing(const topology& map, const routing_function& routing);
    /// The links and routers that will fail; after set_routing(). Routers are readable ones then, without a
    /// route table. finish() throws config::error where the network cannot survive failures.
    void set_failures(failure_schedule all);
    /// Links have bit errors, and a flit has so many bits; after set_routing().
    void set_bit_errors(std::uint32_t flit_bits);
    /// Several threads run it, a part each: the results are the same. There may be fewer: see
    /// network_view::threads_obstacle().
    void set_threads(const thread_policy& policy);
    /// Before the first connect(): it is one of several processes that run the network, each the routers and
    /// nodes of its rank. All add all routers and NICs; links between two others are ignored.
    void set_world(world& all, partition_map ranks);
    /// The NIC of a node is modelled elsewhere: only its source queues stay here, see external_nics.
    void take_over_nic(std::uint32_t node);
    /// Only readable routers. Results do not depend on it.
    void forbid_fast_routers();
    /// Runs the network as one of that scale at least, however few routers there are: large, from lists;
    /// huge, without a route table as well. Results do not depend on it.
    void run_as(network_scale least);
    /// Chooses what is fastest where few packets are in the network at a time.
    void expect_few_packets();
    /// Lays out all memory and wires all blocks. Throws config::error where buffers and packets do not fit
    /// the switching mode.
    void finish();

  private:
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
};

}  // namespace sare
