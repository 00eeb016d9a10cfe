// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/large_pages.h"
#include "tlm/base/shared_pool.h"
#include "tlm/nic/params.h"
#include "tlm/nic/state.h"
#include "tlm/router_api/class_vcs.h"
#include "tlm/router_api/injection_port.h"
#include "tlm/router_api/route_table.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Where heads carry keys of a route table: routers that count, from a place of the table on the way of a
/// header. Of the whole network.
struct hop_table {
    std::vector<std::uint16_t> hops;           ///< [place * columns + column]
    std::uint32_t columns = 0;                 ///< of the route table
    std::uint32_t from_state_to_state = 0;     ///< nodes, if it has several states
    std::vector<std::uint32_t> place_of_node;  ///< where in the table its packets begin

    std::uint32_t column(const route_header& way) const {
        return way.state * from_state_to_state + way.destination;
    }
    std::uint16_t at(std::uint32_t place, const route_header& way) const {
        return hops[std::size_t{place} * columns + column(way)];
    }
};

/// What NICs work with that is not their own.
struct nic_surroundings {
    link_ring& ring;
    shared_pool<packet>& packets;
    shared_pool<packet>::share& packet_slots;
    shared_pool<message_record>& messages;
    shared_pool<message_record>::share& message_slots;
    class_vcs shares;
    std::uint32_t vcs, classes;  ///< of these
};

/// The network interfaces of a part of a network as data: how they are built and wired, and what one may ask
/// of them. They have the numbers 0, 1, ... within the part; messages and packets have the network's.
class nic_table {
  public:
    explicit nic_table(const nic_surroundings& around) : m_around(around) {}

    /// @name Building, in this order; then nics::finish()
    /// @{
    void add(std::uint32_t node, const nic_params& params);
    /// The NICs are endpoints from `first` on; with `flits_in_table` their inboxes are all in the table.
    void construct(std::uint32_t first, const std::vector<std::uint32_t>& inboxes,
                   const std::vector<std::uint32_t>& flits_at, bool batched, std::uint64_t seed);
    std::pair<wire, wire_extras> flits_into(std::uint32_t node) const;
    std::pair<wire, wire_extras> credits_into(std::uint32_t node) const;
    void wire_credits(std::uint32_t node, const wire& w, const wire_extras& x);
    /// `head_credits`: see nic_state.
    void wire_flits(std::uint32_t node, const wire& w, const wire_extras& x, std::uint16_t head_credits);
    /// Heads carry keys of `routes`, and routers do not count hops. The table outlives the NICs.
    void set_keys(const route_table& routes, const hop_table& hops);
    /// Its work is done outside: only its source queues stay here.
    void take_over(std::uint32_t node) {
        m_own -= is_taken_over(node) ? 0 : 1;
        m_nics[node].link_free = workload::never;
    }
    void set_seed(std::uint64_t seed);
    /// @}

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_nics.size()); }
    const nic_state& operator[](std::uint32_t n) const { return m_nics[n]; }
    nic_state& operator[](std::uint32_t n) { return m_nics[n]; }
    bool is_taken_over(std::uint32_t node) const { return m_nics[node].link_free == workload::never; }

    /// @name Questions: not for every cycle
    /// @{
    /// Messages of a class in the source queue of NIC n.
    std::uint32_t queued(std::uint32_t n, std::uint32_t message_class) const {
        return m_nics[n].queues[message_class].queued;
    }
    /// Packets that it has in hand: being injected, or received in part.
    void list_packets(std::uint32_t node, const std::function<void(std::uint32_t packet)>& found) const;
    /// Messages in its source queues, in order of class and place.
    void list_messages(std::uint32_t node, const std::function<void(std::uint32_t message)>& found) const;
    std::uint64_t sum_of(std::uint64_t nic_state::*counter) const;
    std::uint64_t messages_waiting() const;  ///< wholly or in part
    std::uint64_t messages_started() const;  ///< first packet injected
    /// "" if all credits are back.
    std::string leftovers() const;
    /// @}

  protected:
    std::uint32_t number_of(const nic_state& n) const {
        return static_cast<std::uint32_t>(&n - m_nics.data());
    }

    const nic_surroundings m_around;
    nic_params_list m_params;  ///< by NIC, until they are finished
    large_pages::vector<nic_state> m_nics;
    large_pages::vector<class_queue> m_queues;      ///< [node * classes + class]
    large_pages::vector<std::uint16_t> m_credits;   ///< [node * vcs + vc]
    large_pages::vector<std::uint64_t> m_expected;  ///< [node * vcs + vc]: see nic_state
    std::vector<std::uint64_t> m_uniform;           ///< a bit a node: see nics::find_usual()
    std::vector<std::uint64_t> m_injecting;         ///< a bit a node: there is something to inject
    std::uint64_t m_messages_sent = 0;
    std::uint64_t m_never_started = 0;        ///< messages that a reset took out of source queues
    std::uint32_t m_first = 0;                ///< endpoint
    std::uint32_t m_own = 0;                  ///< NICs whose work is not done outside
    std::uint32_t m_from_state_to_state = 0;  ///< columns of the route table: nodes, if it has several
    bool m_batched = false;
    bool m_keyed = false;
};

}  // namespace sare
