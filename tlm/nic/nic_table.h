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

/// Number of routers on every route, for networks whose heads carry keys of the route table (route_table), so
/// that routers do not count hops. A *place* is a router, or an input port of a router
/// (route_table::place()).
struct hop_table {
    /// Number of routers from a place to the destination, the first and the last router included: [place *
    /// columns + column].
    std::vector<std::uint16_t> hops;
    std::uint32_t columns = 0;  ///< number of columns of the route table
    /// Number of columns for each value of route_header::state, the number of nodes; 0: all headers have one
    /// state.
    std::uint32_t from_state_to_state = 0;
    /// Place at which packets of a node enter the network, by node.
    std::vector<std::uint32_t> place_of_node;

    /// Returns the column of the route table for a header.
    std::uint32_t column(const route_header& way) const {
        return way.state * from_state_to_state + way.destination;
    }
    /// Returns the number of routers that a packet visits from `place` on, the router of `place` included.
    std::uint16_t at(std::uint32_t place, const route_header& way) const {
        return hops[std::size_t{place} * columns + column(way)];
    }
};

/// Data that the NICs of a part share with the rest of the network; all references must outlive the NICs.
struct nic_surroundings {
    link_ring& ring;               ///< planes of the links of the part (link_ring.h)
    shared_pool<packet>& packets;  ///< packets of the network, by slot
    /// The part's share of the pool of packets, from which it takes free slots.
    shared_pool<packet>::share& packet_slots;
    shared_pool<message_record>& messages;  ///< messages of the network, by slot
    /// The part's share of the pool of messages, from which it takes free slots.
    shared_pool<message_record>::share& message_slots;
    class_vcs shares;            ///< VCs that each message class may use
    std::uint32_t vcs, classes;  ///< number of VCs of a port; number of message classes
};

/// The NICs of a part of a network (the routers and NICs of one thread or process) as data: how they are
/// built and wired, and questions about them. Base class of `nics`. A NIC has a number within its part, from
/// 0, which parameters call `n` or `node`; messages and packets are given by their slots in the pools of the
/// network.
class nic_table {
  public:
    explicit nic_table(const nic_surroundings& around) : m_around(around) {}

    /// @name Building, in this order; then nics::finish()
    /// @{
    /// Adds the next NIC. `node`: number of its node in the whole network. Parameters are not checked.
    void add(std::uint32_t node, const nic_params& params);
    /// Allocates the state of all NICs. `first`: endpoint number (link_ring.h) of NIC 0; NIC n is endpoint
    /// first + n. `inboxes`, `flits_at`: by NIC, word of a plane where the sets of arrivals begin, and word
    /// of the flit. `batched`: true if credits come in batches, with counts. `seed`: seed of the NICs' random
    /// streams.
    void construct(std::uint32_t first, const std::vector<std::uint32_t>& inboxes,
                   const std::vector<std::uint32_t>& flits_at, bool batched, std::uint64_t seed);
    /// Return the wires by which the router writes flits, and credits, to NIC `node`. The caller must set
    /// their delays, which are 0.
    std::pair<wire, wire_extras> flits_into(std::uint32_t node) const;
    std::pair<wire, wire_extras> credits_into(std::uint32_t node) const;
    /// Sets the wire by which NIC `node` sends credits to its router.
    void wire_credits(std::uint32_t node, const wire& w, const wire_extras& x);
    /// Sets the wire by which NIC `node` sends flits to its router, and sets its credits to the depth of the
    /// router's buffer, `x.depth`. `head_credits`: nic_state::head_credits.
    void wire_flits(std::uint32_t node, const wire& w, const wire_extras& x, std::uint16_t head_credits);
    /// Sets the rule by which the VCs of the router that NIC `node` sends to pause. Call it after
    /// wire_flits().
    void pause_by(std::uint32_t node, const pause_rule& rule) {
        m_gates.resize(size());
        m_gates[node].begin(rule, m_around.vcs);
        m_nics[node].counts_more = true;
    }
    /// Makes heads carry keys of `routes`, a keyed table, and NICs take the hops of packets from `hops`,
    /// which must outlive the NICs.
    void set_keys(const route_table& routes, const hop_table& hops);
    /// Marks NIC `node` as taken over: only its source queues stay here; its other work is done by its router
    /// or outside of the model. A second call does nothing.
    void take_over(std::uint32_t node) {
        m_own -= is_taken_over(node) ? 0 : 1;
        m_nics[node].link_free = workload::never;
    }
    /// Sets the clock of each NIC, by its number; an empty list: all have the clock of the network. The
    /// clocks must outlive the NICs.
    void set_clocks(std::vector<const running_clock*> clocks) { m_clocks = std::move(clocks); }
    /// Restarts the random stream of each NIC with seed `seed`.
    void set_seed(std::uint64_t seed);
    /// @}

    /// Number of NICs of the part.
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_nics.size()); }
    /// Returns the state of NIC n; unchecked.
    const nic_state& operator[](std::uint32_t n) const { return m_nics[n]; }
    nic_state& operator[](std::uint32_t n) { return m_nics[n]; }
    /// True if take_over() was called for NIC `node`.
    bool is_taken_over(std::uint32_t node) const { return m_nics[node].link_free == workload::never; }
    /// True if NIC `n` has `need` credits or more for VC `vc` of its router, and the router does not pause
    /// the VC.
    bool is_open(const nic_state& n, std::uint32_t vc, std::uint32_t need) const {
        return n.vc_credits[vc] >= need && (m_gates.empty() || !m_gates[number_of(n)].is_paused(vc));
    }
    /// Returns the number of cycles before cycle `t` in which some VC of the router was paused for NIC
    /// `node`; 0 if no router of the part pauses VCs.
    cycle_t paused_before(std::uint32_t node, cycle_t t) const {
        return m_gates.empty() ? 0 : m_gates[node].paused_before(t);
    }
    /// True if one word of an inbox has both sets of VCs with arrivals: bits 0 to 31 for credits, bits 32 to
    /// 63 for the flit. False with more than 32 VCs: the word has the credits, and the word before
    /// nic_state::flit_at the VC of the flit.
    bool has_small_sets() const { return m_around.vcs <= 32; }

    /// @name Questions: not for every cycle
    /// @{
    /// Returns the number of messages of a class in the source queue of NIC n, one being injected included.
    std::uint32_t queued(std::uint32_t n, std::uint32_t message_class) const {
        return m_nics[n].queues[message_class].queued;
    }
    /// Calls `found` with the slot of each packet that NIC `node` is injecting or has received in part.
    void list_packets(std::uint32_t node, const std::function<void(std::uint32_t packet)>& found) const;
    /// Calls `found` with the slot of each message in the source queues of NIC `node`, by rising class, and
    /// within a class from the front.
    void list_messages(std::uint32_t node, const std::function<void(std::uint32_t message)>& found) const;
    /// Sum of the member `counter` of nic_state over all NICs.
    std::uint64_t sum_of(std::uint64_t nic_state::*counter) const;
    std::uint64_t messages_waiting() const;  ///< messages in source queues, those being injected included
    std::uint64_t messages_started() const;  ///< messages sent of which a flit has been injected
    /// Returns one line that names the first NIC (by node) and VC whose credits are not all back; "" if all
    /// are.
    std::string leftovers() const;
    /// @}

  protected:
    /// VCs of the arrivals at a NIC in a cycle, as masks: VCs for which a credit has come; VC on which a flit
    /// has come, 0: no flit.
    struct incoming {
        vc_mask credits, flit;
    };
    /// Returns the number of NIC n within the part.
    std::uint32_t number_of(const nic_state& n) const {
        return static_cast<std::uint32_t>(&n - m_nics.data());
    }

    const nic_surroundings m_around;               ///< data shared with the rest of the network
    nic_params_list m_params;                      ///< parameters of each NIC; empty after nics::finish()
    large_pages::vector<nic_state> m_nics;         ///< state of each NIC
    large_pages::vector<class_queue> m_queues;     ///< source queues of all NICs, [NIC * classes + class]
    large_pages::vector<std::uint16_t> m_credits;  ///< memory of nic_state::vc_credits, [NIC * vcs + vc]
    /// Flits that a NIC has in its router's buffer, where VCs share places, [NIC * vcs + vc]; empty: no
    /// router's VCs share places.
    std::vector<std::uint16_t> m_pool_flits;
    std::vector<pause_gate> m_gates;  ///< pauses of the router's VCs, by NIC; empty: no router pauses VCs
    large_pages::vector<std::uint64_t> m_expected;  ///< memory of nic_state::expected, [NIC * vcs + vc]
    std::vector<const running_clock*> m_clocks;  ///< clock of each NIC, by its number; empty: the network's
    /// Bit n % 64 of word n / 64: the links of NIC n are nic_links::uniform or polled.
    std::vector<std::uint64_t> m_uniform;
    /// Bit n % 64 of word n / 64: a source queue of NIC n has a message.
    std::vector<std::uint64_t> m_injecting;
    std::uint64_t m_messages_sent = 0;  ///< messages that send() has taken
    /// Messages taken out of source queues before any of their flits left.
    std::uint64_t m_never_started = 0;
    std::uint32_t m_first = 0;  ///< endpoint number of NIC 0
    std::uint32_t m_own = 0;    ///< number of NICs that are not taken over
    /// Value of hop_table::from_state_to_state, for the columns of keys.
    std::uint32_t m_from_state_to_state = 0;
    bool m_batched = false;  ///< true: credits come in batches, with counts
    bool m_keyed = false;    ///< true: heads carry keys of the route table
};

}  // namespace sare
