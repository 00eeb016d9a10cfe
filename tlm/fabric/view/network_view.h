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
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sare {

class clock_domain;
class network_clocks;
class network_state;
class remote_links;
class routing_function;

/// A network as statistics, observers and tests read it between two cycles. Functions change nothing. Unknown
/// numbers of routers, ports, VCs and nodes throw std::out_of_range, with a text of one line; for functions
/// that read state, all are unknown before the network is finished. Message classes are not checked.
class network_view final : public counted_network {
  public:
    explicit network_view(network_state& net) : m_net(net) {}

    /// @name Structure of the network
    /// @{
    bool is_finished() const;              ///< true if network_builder::finish() has been called
    cycle_t now() const;                   ///< current cycle, the last one that was run; 0 before the first
    const topology* map() const override;  ///< topology of the network; null: built without one
    const routing_function* routing() const;  ///< routing function in use; null: built without one
    /// Route table; its exists() is false if routing does not fit into a table.
    const route_table& routes() const;
    std::uint32_t nodes() const override;
    std::uint32_t classes() const override;  ///< number of message classes
    std::uint32_t vcs() const override;      ///< number of VCs of each port
    std::uint32_t routers() const override;
    std::uint32_t ports(std::uint32_t router) const override;
    /// Returns the model (kind and parameters) of a router.
    const router_model& model(std::uint32_t router) const;
    /// Returns the bank, the object with the state of many routers of a kind, that holds a router.
    const router_bank& bank_of(std::uint32_t router) const;
    /// Returns a router's number within its bank, from 0.
    std::uint32_t in_bank(std::uint32_t router) const;
    /// Clock domain of a router, with the planes of its links.
    const clock_domain& domain_of(std::uint32_t router) const;
    const network_clocks& clocks() const;  ///< clocks of all blocks, with their changes so far
    /// Returns the capacity, in flits, of the buffer of one VC behind an output port; 0 for a port that leads
    /// nowhere.
    std::uint32_t depth_beyond(std::uint32_t router, std::uint32_t port) const;
    /// Returns how often event `e` has happened at an output port since the start of the run; 0 for a router
    /// of another process or of another kind than vc. Throws std::logic_error if the network does not count
    /// events, as no statistic declares that it needs them (statistic_declaration).
    std::uint64_t events(router_event e, std::uint32_t router, std::uint32_t port) const;
    /// Returns the number of threads that run the network: one for each part, or 1 if a trial has found that
    /// more are not faster by enough.
    std::uint32_t threads() const;
    /// Returns the reason why fewer threads run the network than were wanted, on one line; "" if as many run
    /// it as were wanted.
    std::string threads_obstacle() const;
    /// Returns the links to other processes; null: this is the only process.
    const remote_links* remote() const;
    /// True if this process runs a router; a single process runs all, and does not check the number. The
    /// state of a router that another process runs is not known here.
    bool has_router(std::uint32_t router) const;
    bool is_here(std::uint32_t node) const;  ///< true if this process runs the node; see has_router()
    /// Describes in words how the network is built: networks with the same text can exchange checkpoints.
    /// Only for a finished network with a map and a routing function.
    std::string build_text() const;
    /// @}

    /// @name State of the network
    /// @{
    /// Returns the state of an input VC: packet, route, number of flits. Here and below, that this process
    /// runs the router is not checked.
    in_vc in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    /// Returns the state of an output VC: credits, and the input VC that owns it.
    out_vc out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    /// Returns flit `k` of an input VC's buffer; 0 is the front. Throws std::out_of_range if the buffer holds
    /// k flits or fewer.
    flit buffered(std::uint32_t router, std::uint32_t port, std::uint32_t vc, std::uint32_t k) const;
    /// True if the packet at the front of an input VC has an output port but no output VC yet, and asks for
    /// one.
    bool bids_for_vc(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    /// Returns the state of the NIC of a node of this process.
    const nic_state& nic(std::uint32_t node) const;
    /// True if the NIC of `node` may begin now, on VC `vc`, a packet that needs `credits` credits.
    bool may_begin(std::uint32_t node, std::uint32_t vc, std::uint32_t credits) const;
    /// Returns the number of cycles before cycle `t` in which some VC of the link that begins at `from` was
    /// paused (pause_rule).
    cycle_t paused_before(const link_end& from, cycle_t t) const;
    /// True if only the source queues of a node are in the network: its NIC is modelled outside, or its
    /// router contains it.
    bool is_taken_over(std::uint32_t node) const;
    const shared_pool<packet>& packets() const;           ///< packets in the network; by slot
    const shared_pool<message_record>& messages() const;  ///< messages in source queues or under way; by slot
    /// True if no message is in a source queue or in the network.
    bool empty() const;
    /// Returns the number of messages in all source queues of this process, including messages that are being
    /// injected.
    std::uint64_t messages_waiting() const;
    /// Returns a line about the first thing left in a network that should be empty. It is a flit, a VC still
    /// owned, a credit not back, or a packet or message still in use. Returns "" if nothing is left.
    std::string leftovers() const;
    /// @}

    /// @name Links that can sleep, and routers that can go off
    /// @{
    /// Returns the number, for fabric::sleeper(), of the link that begins at output `from` of a router or
    /// NIC. No value: that link cannot sleep or does not exist.
    std::optional<std::uint32_t> sleeper_number(const link_end& from) const;
    /// Returns the link that begins at output `from` of a router or NIC; null if that link cannot sleep or
    /// does not exist.
    const link_sleep* sleeper_of(const link_end& from) const;
    /// Returns the power gates of the routers that can go off, by router.
    const std::map<std::uint32_t, router_gate>& gates() const;
    /// @}

    /// @name Counters since the start (counted_network); most sum over all blocks: too slow for every cycle
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
    /// Returns the number of flits that a router has sent by all outputs, modulo 2^32; 0 for a router of
    /// another process.
    std::uint32_t flits_sent(std::uint32_t router) const;
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const override;
    void count_buffers(std::vector<std::uint64_t>& bins) const override;
    /// @}

  private:
    std::uint32_t class_of(const route_header& way) const override;
    generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const override;
    /// Returns the messages and flits of a class in injection queues that a router contains (nics::held()).
    generated_counts held_of(std::uint32_t node, std::uint32_t message_class) const;
    generated_counts unsent_of(std::uint32_t node, std::uint32_t message_class) const override;
    std::string leftovers_of(std::uint32_t router) const;

    /// Returns the state after all cycles that are over; an engine that lags behind runs these first.
    network_state& present() const;

    network_state& m_net;
};

/// Returns the arbiters of a router, by stage, then port, then VC; empty if its kind shows none.
std::vector<router_arbiter> arbiters_of(const network_view& net, std::uint32_t router);

}  // namespace sare
