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

/// How large and how busy a network is taken to be, which decides the layout of its VC routers.
enum class network_scale : std::uint8_t {
    small,       ///< a cache holds the network
    dense,       ///< larger, and 0.75 flits or more leave a router in a cycle: heads carry routes
    dense_huge,  ///< as `dense`, with blocks fetched into the caches ahead, however few there are
    large,       ///< larger, and mostly idle: routers that are awake are kept in lists
    huge         ///< as `large`, with blocks fetched into the caches ahead, however few there are
};
constexpr bool runs_dense(network_scale s) {
    return s == network_scale::dense || s == network_scale::dense_huge;
}
constexpr bool always_fetches(network_scale s) {
    return s == network_scale::dense_huge || s == network_scale::huge;
}

/// The network as a bank of routers sees it: packets, routes, links, and the nodes whose queues it owns.
/// Numbers of routers, ports and VCs are not checked.
class router_context {
  public:
    router_context(const class_vcs& shares, std::uint64_t seed) : m_class_vcs(shares), m_seed(seed) {}
    virtual ~router_context() = default;
    router_context(const router_context&) = delete;
    router_context& operator=(const router_context&) = delete;

    std::unique_ptr<router_event_counts> event_counters;  ///< events of all routers; null: no statistic asks

    /// @name The network
    /// @{
    std::uint32_t vcs() const { return m_class_vcs.vcs(); }          ///< number of VCs of each port
    std::uint32_t classes() const { return m_class_vcs.classes(); }  ///< number of message classes
    const class_vcs& shares() const { return m_class_vcs; }
    std::uint64_t seed() const { return m_seed; }
    cycle_t now() const { return m_now; }                          ///< present cycle of the network
    const topology* map() const { return m_map; }                  ///< null: none was given
    const routing_function* routing() const { return m_routing; }  ///< null: none was given
    virtual std::uint32_t routers() const = 0;
    virtual std::uint32_t nodes() const = 0;
    virtual std::uint32_t ports(std::uint32_t router) const = 0;
    /// True if some router sends credits in batches: then all credits are counted.
    virtual bool batched() const = 0;
    /// Flits of the largest packet that any NIC makes.
    virtual std::uint64_t max_packet() const = 0;
    /// False if VC routers must be wide (see vc_layout), after network_builder::require_wide_routers().
    virtual bool compact_layouts_allowed() const = 0;
    virtual network_scale scale() const = 0;
    /// Domain of a router, which has the links that it writes and reads, in cycles of its clock.
    virtual clock_domain& domain_of(std::uint32_t router) = 0;
    const clock_domain& domain_of(std::uint32_t router) const {
        return const_cast<router_context*>(this)->domain_of(router);
    }
    /// True if this process has the router; call this, bank_of() and in_bank() only when all banks are made.
    virtual bool has_router(std::uint32_t router) const = 0;
    /// Bank of a router of this process, and in_bank() the router's number in that bank.
    virtual router_bank& bank_of(std::uint32_t router) const = 0;
    virtual std::uint32_t in_bank(std::uint32_t router) const = 0;
    /// Link `number` of those that can sleep (wire_extras::sleeps - 1).
    virtual link_sleep& sleeper(std::uint32_t number) = 0;
    /// @}

    /// @name Links, in router_model::make_banks() and while the bank is wired
    /// @{
    /// The link at an output port, and at an input port; null for a port that leads nowhere.
    virtual const connection* link_from(std::uint32_t router, std::uint32_t port) const = 0;
    virtual const connection* link_into(std::uint32_t router, std::uint32_t port) const = 0;
    /// Delays of a link in cycles of the writer: from the grant of a flit until the receiver reads it
    /// (forward), and from the giving of a credit until the sender can use it (backward). For a link between
    /// different clocks, only up to the crossing.
    struct wire_delays {
        std::uint32_t forward, backward;
    };
    virtual wire_delays delays_of(const connection& c) const = 0;
    /// Least cycles of the writer from one flit to the next: also no fewer than a reader with another clock
    /// needs.
    virtual std::uint32_t cycles_per_flit(const connection& c) const = 0;
    /// Places at the receiving end of a link, in flits: most of one VC, and those among them that VCs share.
    struct buffer_places {
        std::uint32_t depth, pool;
    };
    virtual buffer_places places_at(const connection& c) const = 0;
    /// Lets heads carry keys of the route table, if the network allows it; only in make_banks().
    virtual void key_routes() = 0;
    /// @}

    /// @name Routes
    /// @{
    const route_table& routes() const { return m_routes; }
    /// True if routers need not count the hops of packets.
    bool knows_hops() const { return m_routes.keyed(); }
    /// Finds the candidates of a packet whose head is at router `r`: from the route table, else by
    /// routing_function::route() or route_seeing(). Updates the header unless a table answers.
    void find_candidates(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                         route_set& out) const {
        if (m_routes.exists())
            m_routes.look_up(r, in, header, out);
        else if (m_routing_sees)
            find_candidates_seeing(r, in, in_vc, header, out);
        else
            m_routing->route(r, in, in_vc, header, out);
    }
    /// Most candidates that find_candidates() ever finds.
    virtual std::uint32_t most_candidates() const = 0;
    /// Returns flit::sequence of a packet's head: its key in the route table, or 0.
    std::uint16_t head_number(std::uint32_t id) const {
        if (!m_routes.keyed()) return 0;
        const route_header& way = m_packets[id].route;
        return static_cast<std::uint16_t>(m_routes.key(shares().class_of(way.vc_base), way));
    }
    /// @}

    /// @name Packets
    /// @{
    const shared_pool<packet>& packets() const { return m_packets; }
    shared_pool<packet>& packets() { return m_packets; }
    const shared_pool<message_record>& messages() const { return m_messages; }
    /// Makes a copy of packet `id`, which has come to router `r` by port `in`: as long, of the same message,
    /// with a route of its own. The caller sends its flits on, the head with head_number(). The message is
    /// complete when the copies have come, too; workload::packet_delivered() is called for each. References
    /// into packets() become invalid.
    virtual std::uint32_t copy(std::uint32_t r, std::uint32_t in, std::uint32_t id,
                               const route_header& way) = 0;
    /// Ends packet `id` at router `r`, which has all of its flits, or had: none of them is anywhere else. Its
    /// message is never delivered, and the workload is told. `cause`: the statistics count drops by it;
    /// `port`: the output that the packet waited for.
    virtual void drop(std::uint32_t r, std::uint32_t id, const std::string& cause,
                      std::uint32_t port = drop_location::no_port) = 0;
    /// Counts a packet of `flits` flits that leaves by an emergency route.
    virtual void count_detour(std::uint32_t flits) = 0;
    /// The source queues of nodes, for routers that own the injection queues.
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
