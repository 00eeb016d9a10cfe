// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/base/router_events.h"
#include "tlm/router_api/class_vcs.h"
#include "tlm/router_api/clock_domain.h"
#include "tlm/router_api/connection.h"
#include "tlm/router_api/injection_port.h"
#include "tlm/router_api/link_sleep.h"
#include "tlm/router_api/route_table.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sare {

/// How large and how busy a network is taken to be, which decides how the state of its VC routers is stored.
enum class network_scale : std::uint8_t {
    small,  ///< a cache holds the state of the network
    dense,  ///< larger than `small`, and routers send 0.75 flits or more a cycle: heads carry routes
    /// As `dense`, with the state of routers fetched into the caches ahead, however few routers there are.
    dense_huge,
    /// Larger than `small`, and most routers idle in a cycle: routers that are awake are kept in lists.
    large,
    huge  ///< as `large`, with the state of routers fetched into the caches ahead, however few there are
};
/// True for dense and dense_huge.
constexpr bool runs_dense(network_scale s) {
    return s == network_scale::dense || s == network_scale::dense_huge;
}
/// True for dense_huge and huge.
constexpr bool always_fetches(network_scale s) {
    return s == network_scale::dense_huge || s == network_scale::huge;
}

/// The network as a bank of routers sees it: packets, routes, links, and the source queues of nodes. Numbers
/// of routers, ports and VCs are not checked.
class router_context {
  public:
    /// `shares`: VCs of the message classes; `seed`: seed of all random numbers.
    router_context(const class_vcs& shares, std::uint64_t seed) : m_class_vcs(shares), m_seed(seed) {}
    virtual ~router_context() = default;
    router_context(const router_context&) = delete;
    router_context& operator=(const router_context&) = delete;

    /// Counters of events in all routers; null: no statistic asks for them.
    std::unique_ptr<router_event_counts> event_counters;

    /// @name The network
    /// @{
    std::uint32_t vcs() const { return m_class_vcs.vcs(); }          ///< number of VCs of each port
    std::uint32_t classes() const { return m_class_vcs.classes(); }  ///< number of message classes
    /// VCs that each message class may use.
    const class_vcs& shares() const { return m_class_vcs; }
    /// Seed of all random numbers.
    std::uint64_t seed() const { return m_seed; }
    cycle_t now() const { return m_now; }                          ///< present cycle of the network
    const topology* map() const { return m_map; }                  ///< topology; null: none was given
    const routing_function* routing() const { return m_routing; }  ///< routing function; null: none was given
    /// Number of routers, those of other processes included.
    virtual std::uint32_t routers() const = 0;
    /// Number of nodes, those of other processes included.
    virtual std::uint32_t nodes() const = 0;
    /// Number of ports of a router.
    virtual std::uint32_t ports(std::uint32_t router) const = 0;
    /// True if some router sends credits in batches: then all credits of the network come with a count.
    virtual bool batched() const = 0;
    /// Flits of the largest packet that any NIC makes.
    virtual std::uint64_t max_packet() const = 0;
    /// False if VC routers must use the layout `wide` (see vc_layout), since
    /// network_builder::require_wide_routers() was called.
    virtual bool compact_layouts_allowed() const = 0;
    /// Size and load that the network is taken to have.
    virtual network_scale scale() const = 0;
    /// Returns the clock domain of a router: the links that the router writes and reads, in cycles of its
    /// clock.
    virtual clock_domain& domain_of(std::uint32_t router) = 0;
    const clock_domain& domain_of(std::uint32_t router) const {
        return const_cast<router_context*>(this)->domain_of(router);
    }
    /// True if this process runs the router. Call this function, bank_of() and in_bank() only when all banks
    /// are made.
    virtual bool has_router(std::uint32_t router) const = 0;
    /// Returns the bank of a router that this process runs, and in_bank() the number of the router in that
    /// bank.
    virtual router_bank& bank_of(std::uint32_t router) const = 0;
    virtual std::uint32_t in_bank(std::uint32_t router) const = 0;
    /// Returns the link with a number among those that can sleep, which is wire_extras::sleeps - 1.
    virtual link_sleep& sleeper(std::uint32_t number) = 0;
    /// @}

    /// @name Links, in router_model::make_banks() and while the bank is wired
    /// @{
    /// Return the link that begins at an output port, and the one that ends at an input port; null for a port
    /// that leads nowhere.
    virtual const connection* link_from(std::uint32_t router, std::uint32_t port) const = 0;
    virtual const connection* link_into(std::uint32_t router, std::uint32_t port) const = 0;
    /// Delays of a link in cycles of its writer. `forward`: from the grant of a flit until the receiver reads
    /// it; `backward`: from a credit that the receiver gives until the sender can use it. Between two clocks
    /// each counts only up to the crossing.
    struct wire_delays {
        std::uint32_t forward, backward;
    };
    virtual wire_delays delays_of(const connection& c) const = 0;
    /// Least number of cycles of the writer from one flit to the next; between two clocks no fewer than the
    /// reader needs.
    virtual std::uint32_t cycles_per_flit(const connection& c) const = 0;
    /// Places at the receiving end of a link, in flits. `depth`: most flits of one VC; `pool`: number of
    /// these places that the VCs share; `pauses`: the receiver pauses VCs.
    struct buffer_places {
        std::uint32_t depth, pool;
        bool pauses;

        /// True if the sender has more to count than the credits of each VC.
        bool needs_more_than_credits() const { return pool != 0 || pauses; }
    };
    virtual buffer_places places_at(const connection& c) const = 0;
    /// Makes heads carry keys of the route table (see route_table), if the network allows it. Call only in
    /// make_banks().
    virtual void key_routes() = 0;
    /// @}

    /// @name Routes
    /// @{
    /// Table of the routing function's answers; empty: the function is called for each head.
    const route_table& routes() const { return m_routes; }
    /// True if NICs set the hops of packets, so that routers need not count them.
    bool knows_hops() const { return m_routes.keyed(); }
    /// Finds the candidates `out` of a packet whose head has come to router `r` by input port `in` on VC
    /// `in_vc`: from the route table if there is one, else by routing_function::route() or route_seeing().
    /// Updates `header` unless a table answers.
    void find_candidates(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                         route_set& out) const {
        if (m_routes.exists())
            m_routes.look_up(r, in, header, out);
        else if (m_routing_sees)
            find_candidates_seeing(r, in, in_vc, header, out);
        else
            m_routing->route(r, in, in_vc, header, out);
    }
    /// Most candidates that find_candidates() ever finds for a head.
    virtual std::uint32_t most_candidates() const = 0;
    /// Returns the number (flit::sequence) that the head of packet `id` must carry: its key in a keyed route
    /// table, else 0.
    std::uint16_t head_number(std::uint32_t id) const {
        if (!m_routes.keyed()) return 0;
        const route_header& way = m_packets[id].route;
        return static_cast<std::uint16_t>(m_routes.key(shares().class_of(way.vc_base), way));
    }
    /// @}

    /// @name Packets
    /// @{
    /// Packets of the network, by slot.
    const shared_pool<packet>& packets() const { return m_packets; }
    shared_pool<packet>& packets() { return m_packets; }
    /// Messages of the network, by slot.
    const shared_pool<message_record>& messages() const { return m_messages; }
    /// Makes a copy of packet `id`, which has come to router `r` by port `in`: as long, of the same message,
    /// with the header `way`. Returns the slot of the copy. The caller sends the copy's flits on, the head
    /// with head_number(). The message is complete when its copies have arrived, too;
    /// workload::packet_delivered() is called for each of them. References into packets() become invalid.
    virtual std::uint32_t copy(std::uint32_t r, std::uint32_t in, std::uint32_t id,
                               const route_header& way) = 0;
    /// Ends packet `id` at router `r`, which must have all flits of the packet that are left in the network.
    /// The message of the packet is never delivered, and the workload is told. `cause`: name under which
    /// statistics count the drop; `port`: output that the packet waited for, or no_port.
    virtual void drop(std::uint32_t r, std::uint32_t id, const std::string& cause,
                      std::uint32_t port = drop_location::no_port) = 0;
    /// Counts a packet of `flits` flits that leaves by an emergency route (a detour around a blocked link).
    virtual void count_detour(std::uint32_t flits) = 0;
    /// Source queues of the nodes, for routers that own the injection queues.
    virtual injection_port& injection() = 0;
    /// @}

  protected:
    virtual void find_candidates_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc,
                                        route_header& header, route_set& out) const = 0;

    const class_vcs m_class_vcs;
    std::uint64_t m_seed;
    cycle_t m_now = 0;
    const topology* m_map = nullptr;
    const routing_function* m_routing = nullptr;
    bool m_routing_sees = false;  ///< true: routing looks at congestion, or links may fail
    route_table m_routes;
    shared_pool<packet> m_packets;
    shared_pool<message_record> m_messages;
};

}  // namespace sare
