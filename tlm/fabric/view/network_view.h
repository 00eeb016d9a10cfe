// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"
#include "tlm/nic/state.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/base/router_events.h"
#include "tlm/router_api/connection.h"
#include "tlm/router_api/link_sleep.h"
#include "tlm/router_api/route_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sare {

class clock_domain;
class network_state;
class remote_links;
class routing_function;

/// A network as statistics, observers and tests see it between two cycles. Functions change nothing, and
/// throw std::out_of_range, with a text of one line, for unknown numbers; before the network is finished all
/// are unknown.
class network_view final : public counted_network {
  public:
    explicit network_view(network_state& net) : m_net(net) {}

    /// @name Structure of the network
    /// @{
    bool is_finished() const;                 ///< network_builder::finish() has been called
    cycle_t now() const;                      ///< current cycle, the last one that was run
    const topology* map() const override;     ///< null: built without a map
    const routing_function* routing() const;  ///< null: built without a routing function
    const route_table& routes() const;        ///< exists() only if the routing function fits into a table
    std::uint32_t nodes() const override;
    std::uint32_t classes() const override;  ///< number of message classes
    std::uint32_t vcs() const override;      ///< number of VCs of each port
    std::uint32_t routers() const override;
    std::uint32_t ports(std::uint32_t router) const override;
    const router_model& model(std::uint32_t router) const;
    /// Returns the bank that holds a router.
    const router_bank& bank_of(std::uint32_t router) const;
    /// Returns a router's number within its bank, from 0.
    std::uint32_t in_bank(std::uint32_t router) const;
    const clock_domain& domain_of(std::uint32_t router) const;  ///< clock and planes of a router
    /// Flits that the buffer of one VC behind an output port holds; 0 for a port that leads nowhere.
    std::uint32_t depth_beyond(std::uint32_t router, std::uint32_t port) const;
    /// Returns how often an event has happened at an output port since the start of the run: 0 for routers of
    /// other processes, or of other kinds than vc. Throws std::logic_error if no statistic declares that it
    /// counts events (statistic_declaration).
    std::uint64_t events(router_event e, std::uint32_t router, std::uint32_t port) const;
    /// Number of threads at work: one for each part, or 1 if a single thread runs all parts at present.
    std::uint32_t threads() const;
    /// Returns why there are fewer threads than wanted, on one line; "" if there are not.
    std::string threads_obstacle() const;
    /// Links to other processes; null: this is the only process.
    const remote_links* remote() const;
    /// True if this process runs a router. The state of other routers is not known here.
    bool has_router(std::uint32_t router) const;
    bool is_here(std::uint32_t node) const;  ///< this process runs the node
    /// Describes in words how the network is built: two networks with the same text are alike.
    std::string build_text() const;
    /// @}

    /// @name State of the network
    /// @{
    in_vc in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    out_vc out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    /// Flit at place `k` of an input VC's buffer; 0: the front. Throws std::out_of_range behind the last
    /// flit.
    flit buffered(std::uint32_t router, std::uint32_t port, std::uint32_t vc, std::uint32_t k) const;
    /// True if the packet at the front of an input VC has no output VC yet and asks for one.
    bool bids_for_vc(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    const nic_state& nic(std::uint32_t node) const;
    /// True if only the source queues of a node are in the network: its NIC is outside, or in its router.
    bool is_taken_over(std::uint32_t node) const;
    const shared_pool<packet>& packets() const;           ///< packets in the network; by slot
    const shared_pool<message_record>& messages() const;  ///< messages in queues or under way; by slot
    /// True if no message is in a source queue or in the network.
    bool empty() const;
    /// Number of messages in source queues, those being injected included.
    std::uint64_t messages_waiting() const;
    /// Returns a line about the first flit, VC, credit, packet or message that is not back or free, for a
    /// network that should be empty; "" if there is none.
    std::string leftovers() const;
    /// @}

    /// @name Links that can sleep
    /// @{
    std::size_t sleepers() const;  ///< number of links that can sleep
    /// Link by its number among those that can sleep, from 0.
    const link_sleep& sleeper(std::uint32_t number) const;
    /// Number of the link that begins at output `from` of a router or NIC; none if it cannot sleep.
    std::optional<std::uint32_t> sleeper_number(const link_end& from) const;
    /// Link that begins at output `from` of a router or NIC; null if it cannot sleep.
    const link_sleep* sleeper_of(const link_end& from) const;
    /// @}

    /// @name Counters since the start (see counted_network). Most are sums over all NICs or routers, too slow
    /// to be asked in every cycle
    /// @{
    std::uint64_t flits_injected() const override;
    std::uint64_t flits_consumed() const override;
    std::uint64_t packets_injected() const override;
    std::uint64_t packets_consumed() const override;
    std::uint64_t messages_started() const override;
    std::uint64_t flit_hops() const override;
    const packet_changes& changes() const override;
    node_counts counts_of(std::uint32_t node) const override;
    std::uint32_t flits_sent() const override;
    /// Flits that a router has sent, modulo 2^32; 0 for a router of another process.
    std::uint32_t flits_sent(std::uint32_t router) const;
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const override;
    void count_buffers(std::vector<std::uint64_t>& bins) const override;
    /// @}

  private:
    std::uint32_t class_of(const route_header& way) const override;
    generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const override;
    /// Messages and flits of a class in injection queues that a router owns (nics::held()).
    generated_counts held_of(std::uint32_t node, std::uint32_t message_class) const;
    generated_counts unsent_of(std::uint32_t node, std::uint32_t message_class) const override;
    std::string leftovers_of(std::uint32_t router) const;

    /// Returns the state after all cycles that are over: a lagging engine catches up first.
    network_state& present() const;

    network_state& m_net;
};

/// Returns the arbiters of a router, by stage, then port, then VC; empty if its kind shows none.
std::vector<router_arbiter> arbiters_of(const network_view& net, std::uint32_t router);

}  // namespace sare
