// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/base/router_events.h"
#include "tlm/router_api/class_vcs.h"
#include "tlm/router_api/context/link_terms.h"
#include "tlm/router_api/context/network_terms.h"
#include "tlm/router_api/context/packet_service.h"
#include "tlm/router_api/context/router_lookup.h"
#include "tlm/router_api/route_table.h"

#include <cstdint>
#include <memory>

namespace sare {

/// The network as a bank of routers sees it: packets, routes, links, and the source queues of nodes. Numbers
/// of routers, ports and VCs are not checked.
class router_context : public network_terms, public router_lookup, public link_terms, public packet_service {
  public:
    /// `shares`: VCs of the message classes; `seed`: seed of all random numbers.
    router_context(const class_vcs& shares, std::uint64_t seed) : m_class_vcs(shares), m_seed(seed) {}
    virtual ~router_context() = default;
    router_context(const router_context&) = delete;
    router_context& operator=(const router_context&) = delete;

    /// Counters of events of VC and switch allocation in all routers; null: no statistic asks for them.
    std::unique_ptr<router_event_counts> event_counters;

    /// @name Settings
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
    /// @}

    /// @name Routes
    /// @{
    /// Table of the routing function's answers; if !exists(), the function is called for each head.
    const route_table& routes() const { return m_routes; }
    /// Makes heads carry keys of the route table (see route_table), if the network allows it; a second call
    /// does nothing. Call only in router_model::make_banks().
    virtual void key_routes() = 0;
    /// True if NICs set packet::hops at injection, so that routers must not count hops.
    bool knows_hops() const { return m_routes.keyed(); }
    /// Finds the candidates `out` of a packet whose head has come to router `r` by input port `in` on VC
    /// `in_vc`. They come from the route table if there is one, else from routing_function::route() or
    /// route_seeing(). Updates `header` unless a table answers.
    void find_candidates(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                         route_set& out) const {
        if (m_routes.exists())
            m_routes.look_up(r, in, header, out);
        else if (m_routing_sees)
            find_candidates_seeing(r, in, in_vc, header, out);
        else
            m_routing->route(r, in, in_vc, header, out);
    }
    /// Returns the number (flit::sequence) that the head of packet `id` must carry: its key in a keyed route
    /// table, else 0.
    std::uint16_t head_number(packet_id id) const {
        if (!m_routes.keyed()) return 0;
        const route_header& way = m_packets[id.value].route;
        return static_cast<std::uint16_t>(m_routes.key(shares().class_of(way.vc_base), way));
    }
    /// @}

    /// @name Packets
    /// @{
    /// Packets of the network, by slot (flit::packet).
    const shared_pool<packet>& packets() const { return m_packets; }
    shared_pool<packet>& packets() { return m_packets; }
    /// Messages of the network, by slot (packet::message).
    const shared_pool<message_record>& messages() const { return m_messages; }
    /// @}

  protected:
    /// Finds candidates as find_candidates() does, by a routing function that looks at congestion, or with
    /// failed links.
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
