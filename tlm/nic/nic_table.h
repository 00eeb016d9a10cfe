// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/clock/running_clock.h"
#include "tlm/base/large_pages.h"
#include "tlm/base/shared_pool.h"
#include "tlm/nic/params.h"
#include "tlm/nic/state.h"
#include "tlm/router_api/base/pause_gate.h"
#include "tlm/router_api/class_vcs.h"
#include "tlm/router_api/injection_port.h"
#include "tlm/router_api/route_table.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Number of routers on every route in a network whose heads carry keys of the route table, so that routers
/// do not count hops. A *place* is a router, or an input port of a router (route_table::place()).
struct hop_table {
    /// Number of routers from a place to the destination, the first and last included: [place * columns +
    /// column].
    std::vector<std::uint16_t> hops;
    std::uint32_t columns = 0;  ///< columns of the route table
    /// Columns between two neighbouring values of route_header::state; 0: all headers have one state.
    std::uint32_t from_state_to_state = 0;
    std::vector<std::uint32_t> place_of_node;  ///< place where the packets of a node begin, by node

    /// Returns the column of the route table for a header.
    std::uint32_t column(const route_header& way) const {
        return way.state * from_state_to_state + way.destination;
    }
    /// Returns the number of routers that a packet visits from `place` on, the router of `place` included.
    std::uint16_t at(std::uint32_t place, const route_header& way) const {
        return hops[std::size_t{place} * columns + column(way)];
    }
};

/// What the NICs of a part share with the rest of the network.
struct nic_surroundings {
    link_ring& ring;  ///< flits and credits on the links of the part
    shared_pool<packet>& packets;
    shared_pool<packet>::share& packet_slots;  ///< share of the part in the pool of packets
    shared_pool<message_record>& messages;
    shared_pool<message_record>::share& message_slots;  ///< share of the part in the pool of messages
    class_vcs shares;                                   ///< VCs that each message class may use
    std::uint32_t vcs, classes;                         ///< numbers of VCs and of message classes
};

/// The NICs of a part of a network as data: how they are built and wired, and questions about them. A NIC has
/// a number within its part, 0, 1, ..., which parameters call `n` or `node`; messages and packets are known
/// by their slots in the pools of the network.
class nic_table {
  public:
    explicit nic_table(const nic_surroundings& around) : m_around(around) {}

    /// @name Building, in this order; then nics::finish()
    /// @{
    /// Adds the next NIC. `node`: number of its node in the whole network.
    void add(std::uint32_t node, const nic_params& params);
    /// Allocates the state of all NICs. `first`: number of NIC 0 among the endpoints of links (link_ring.h),
    /// the others follow; `inboxes`, `flits_at`: word of a plane where the sets of arrivals begin, and word
    /// of the flit, by NIC; `batched`: credits come in batches, with counts; `seed`: seed of the random
    /// streams.
    void construct(std::uint32_t first, const std::vector<std::uint32_t>& inboxes,
                   const std::vector<std::uint32_t>& flits_at, bool batched, std::uint64_t seed);
    /// Wires by which the router writes flits and credits to a NIC; their delays are 0 and still to be set.
    std::pair<wire, wire_extras> flits_into(std::uint32_t node) const;
    std::pair<wire, wire_extras> credits_into(std::uint32_t node) const;
    /// Sets the wire by which a NIC sends credits to its router.
    void wire_credits(std::uint32_t node, const wire& w, const wire_extras& x);
    /// Sets the wire by which a NIC sends flits to its router, and fills its credits. `head_credits`: see
    /// nic_state.
    void wire_flits(std::uint32_t node, const wire& w, const wire_extras& x, std::uint16_t head_credits);
    /// Sets when the VCs of the router that a NIC sends to pause. Call it after wire_flits().
    void pause_by(std::uint32_t node, const pause_rule& rule) {
        m_gates.resize(size());
        m_gates[node].begin(rule, m_around.vcs);
        m_nics[node].counts_more = true;
    }
    /// Makes heads carry keys of `routes`, and NICs take the hops of packets from `hops`, which must outlive
    /// them.
    void set_keys(const route_table& routes, const hop_table& hops);
    /// Marks a NIC as taken over: only its source queues stay here, its other work is done by its router or
    /// outside of the model.
    void take_over(std::uint32_t node) {
        m_own -= is_taken_over(node) ? 0 : 1;
        m_nics[node].link_free = workload::never;
    }
    /// Sets the clock of each NIC; empty: all have that of the network.
    void set_clocks(std::vector<const running_clock*> clocks) { m_clocks = std::move(clocks); }
    /// Restarts the random stream of each NIC with a seed.
    void set_seed(std::uint64_t seed);
    /// @}

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_nics.size()); }
    /// State of a NIC of the part, by its number; unchecked.
    const nic_state& operator[](std::uint32_t n) const { return m_nics[n]; }
    nic_state& operator[](std::uint32_t n) { return m_nics[n]; }
    /// True if take_over() was called for the NIC.
    bool is_taken_over(std::uint32_t node) const { return m_nics[node].link_free == workload::never; }
    /// True if a VC of the router that a NIC sends to has `need` credits, and is not paused.
    bool is_open(const nic_state& n, std::uint32_t vc, std::uint32_t need) const {
        return n.vc_credits[vc] >= need && (m_gates.empty() || !m_gates[number_of(n)].is_paused(vc));
    }
    /// Number of cycles before cycle `t` in which some VC was paused for a NIC.
    cycle_t paused_before(std::uint32_t node, cycle_t t) const {
        return m_gates.empty() ? 0 : m_gates[node].paused_before(t);
    }
    /// True if both sets of arrivals, of credits and of the flit, are in one word of the inbox, as with at
    /// most 32 VCs. Otherwise that word has the credits, and the word before flit_at has the flit.
    bool has_small_sets() const { return m_around.vcs <= 32; }

    /// @name Questions: not for every cycle
    /// @{
    /// Number of messages of a class in the source queue of NIC n, one being injected included.
    std::uint32_t queued(std::uint32_t n, std::uint32_t message_class) const {
        return m_nics[n].queues[message_class].queued;
    }
    /// Calls `found` with the slot of each packet that a NIC is injecting or has received in part.
    void list_packets(std::uint32_t node, const std::function<void(std::uint32_t packet)>& found) const;
    /// Calls `found` with the slot of each message in the source queues of a NIC, by rising class, and within
    /// a class from the front.
    void list_messages(std::uint32_t node, const std::function<void(std::uint32_t message)>& found) const;
    std::uint64_t sum_of(std::uint64_t nic_state::*counter) const;  ///< sum over all NICs
    std::uint64_t messages_waiting() const;  ///< messages in source queues, those being injected included
    std::uint64_t messages_started() const;  ///< messages whose first packet has been injected
    /// Returns, on one line, the first NIC and VC that miss credits; "" if all credits are back.
    std::string leftovers() const;
    /// @}

  protected:
    /// VCs by which something has come to a NIC in a cycle: those with a credit, and that of the flit.
    struct incoming {
        vc_mask credits, flit;
    };
    /// Number of a NIC within the part.
    std::uint32_t number_of(const nic_state& n) const {
        return static_cast<std::uint32_t>(&n - m_nics.data());
    }

    const nic_surroundings m_around;
    nic_params_list m_params;                      ///< parameters of each NIC; empty after nics::finish()
    large_pages::vector<nic_state> m_nics;         ///< state of each NIC
    large_pages::vector<class_queue> m_queues;     ///< source queues of all NICs, [NIC * classes + class]
    large_pages::vector<std::uint16_t> m_credits;  ///< see nic_state::vc_credits, [NIC * vcs + vc]
    /// Flits of a VC in buffers with shared places, [NIC * vcs + vc]; empty: no buffer has any.
    std::vector<std::uint16_t> m_pool_flits;
    std::vector<pause_gate> m_gates;  ///< gate of each NIC, by its number; empty: no router pauses
    large_pages::vector<std::uint64_t> m_expected;  ///< see nic_state::expected, [NIC * vcs + vc]
    std::vector<const running_clock*> m_clocks;  ///< clock of each NIC, by its number; empty: the network's
    std::vector<std::uint64_t> m_uniform;    ///< bit n: the links of NIC n are nic_links::uniform or polled
    std::vector<std::uint64_t> m_injecting;  ///< bit n: a source queue of NIC n has a message
    std::uint64_t m_messages_sent = 0;       ///< messages that send() has taken
    /// Messages taken out of source queues before any of their flits left.
    std::uint64_t m_never_started = 0;
    std::uint32_t m_first = 0;  ///< endpoint of NIC 0
    std::uint32_t m_own = 0;    ///< number of NICs that are not taken over
    /// As hop_table::from_state_to_state, for keys of the route table.
    std::uint32_t m_from_state_to_state = 0;
    bool m_batched = false;  ///< credits come in batches, with counts
    bool m_keyed = false;    ///< heads carry keys of the route table
};

}  // namespace sare
