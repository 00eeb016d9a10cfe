// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"
#include "tlm/nic/state.h"
#include "tlm/router_api/bank.h"
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

/// A network as statistics, observers and tests see it: between two cycles, and nothing changes by looking.
/// Unknown numbers are std::out_of_range, in one line; so are all of them before the network is finished.
class network_view final : public counted_network {
  public:
    explicit network_view(network_state& net) : m_net(net) {}

    /// @name What it is made of
    /// @{
    bool is_finished() const;
    cycle_t now() const;
    const topology* map() const override;
    const routing_function* routing() const;
    const route_table& routes() const;
    std::uint32_t nodes() const override;
    std::uint32_t classes() const override;
    std::uint32_t vcs() const override;
    std::uint32_t routers() const override;
    std::uint32_t ports(std::uint32_t router) const override;
    const router_model& model(std::uint32_t router) const;
    /// The bank that holds a router, and the router's number there.
    const router_bank& bank_of(std::uint32_t router) const;
    std::uint32_t in_bank(std::uint32_t router) const;
    const clock_domain& domain_of(std::uint32_t router) const;
    /// Flits that the buffer of one VC at the other end of an output port holds; 0 for a port that leads
    /// nowhere.
    std::uint32_t depth_beyond(std::uint32_t router, std::uint32_t port) const;
    /// Threads that run it at present, a part each; or one all of them.
    std::uint32_t threads() const;
    /// Why these are fewer than wanted, on one line; "" if they are not.
    std::string threads_obstacle() const;
    /// The links to other processes; null where there are none.
    const remote_links* remote() const;
    /// This process has the router: everything else is known of such routers alone.
    bool has_router(std::uint32_t router) const;
    bool is_here(std::uint32_t node) const;  ///< so has it a node
    /// How it is built, and of what, in words: two networks with the same text are alike.
    std::string build_text() const;
    /// Bytes of routers and links.
    std::uint64_t slab_bytes() const;
    /// @}

    /// @name Its state
    /// @{
    in_vc in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    out_vc out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    /// Flit k from the front of an input VC.
    flit buffered(std::uint32_t router, std::uint32_t port, std::uint32_t vc, std::uint32_t k) const;
    /// The packet of an input VC still bids for an output VC.
    bool bids_for_vc(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    const nic_state& nic(std::uint32_t node) const;
    bool is_taken_over(std::uint32_t node) const;
    const shared_pool<packet>& packets() const;
    const shared_pool<message_record>& messages() const;
    /// Nothing is in the network or in a source queue.
    bool empty() const;
    /// Messages that wait in source queues, wholly or in part.
    std::uint64_t messages_waiting() const;
    /// A line that says which credit is not back or which buffer is not empty; "" if there is none.
    std::string leftovers() const;
    /// @}

    /// @name Links that sleep
    /// @{
    std::size_t sleepers() const;
    const link_sleep& sleeper(std::uint32_t number) const;
    /// The number of the link that begins at an output of a router or NIC, if it can sleep; the link, or
    /// null.
    std::optional<std::uint32_t> sleeper_number(const link_end& from) const;
    const link_sleep* sleeper_of(const link_end& from) const;
    /// @}

    /// @name Counters since the start, see counted_network; sums over NICs: not for every cycle
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
    std::uint32_t flits_sent(std::uint32_t router) const;
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const override;
    void count_buffers(std::vector<std::uint64_t>& bins) const override;
    /// @}

  private:
    std::uint32_t class_of(const route_header& way) const override;
    generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const override;
    generated_counts held_of(std::uint32_t node, std::uint32_t message_class) const;
    generated_counts unsent_of(std::uint32_t node, std::uint32_t message_class) const override;
    std::string leftovers_of(std::uint32_t router) const;

    /// Its state, of the present cycle.
    network_state& present() const;

    network_state& m_net;
};

}  // namespace sare
