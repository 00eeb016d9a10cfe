// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/lost_pieces.h"
#include "tlm/fabric/network_state.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sare {

/// Takes packets out of a whole network before a cycle, wherever their flits are: on links, in routers, half
/// in their NIC. The buffer place of every flit taken out is credited back at once; nothing else moves, and
/// credits under way stay under way. All routers must be of kinds that can be reset one by one
/// (router_bank::can_reset()) or survive failures; this is not checked. Several processes must make the same
/// calls, each for its own part.
class packet_removal {
  public:
    using end = link_end;

    /// `net` must be wired and have a map.
    explicit packet_removal(network_state& net);

    /// @name Choosing the packets that are lost: call these, then run(), or take_out() and drop()
    /// @{
    /// Adds a packet, given by its slot; statistics count the drop at router `at`.
    void add(std::uint32_t packet, std::uint32_t at) { add(packet, drop_location{at}); }
    /// Adds the packets that have a flit in router or NIC `block`, or that hold an output VC of it.
    void add_those_in(const link_end& block);
    /// Adds the packets that have a flit on a link to or from a router or NIC `block`.
    void add_those_on_links_of(const link_end& block);
    /// Adds the packets that have a flit on the link that begins at an output port.
    void add_those_on_link_from(std::uint32_t router, std::uint32_t port);
    /// Adds the packets that have been granted a VC of an output port and have not left it.
    void add_those_that_hold(std::uint32_t router, std::uint32_t port);
    /// @}
    /// Takes the flits of all lost packets out of links and routers and frees the VCs that these hold, before
    /// cycle `t`. With several processes, first adds what the others have found.
    void take_out(cycle_t t);
    /// Counts the lost packets under `cause`, frees their slots and forgets them; their workloads are told in
    /// the next step. Call after take_out().
    void drop(const char* cause);
    /// Calls take_out(t), then drop(cause).
    void run(cycle_t t, const char* cause) {
        take_out(t);
        drop(cause);
    }
    /// Gives up the last `flits` flits of a message, given by its slot, none of which has been injected. Its
    /// workload is told with `cause` in the next step. If the message ends in another process, that process
    /// tells it, after tell_withdrawn().
    void withdraw(std::uint32_t message, std::uint32_t flits, const char* cause);
    /// Raises by one the packet_drop::order of the withdrawals that follow; does nothing in a single process.
    /// Call before the withdraw() calls of each node, in all processes and for all nodes alike.
    void next_node() {
        if (m_pieces) m_pieces->count_order();
    }
    /// Hands the rests of withdrawn messages to the processes where they end, which count them under `cause`.
    /// Call after the last withdraw(), in all processes.
    void tell_withdrawn(const char* cause);

  private:
    struct link {
        end from, to;
        wire flits;  ///< place where its reader finds flits in a plane
    };

    void add(std::uint32_t packet, const drop_location& at) { m_lost.emplace(packet, lost_at{at, m_step}); }
    /// Calls f(plane, vc, packet) for each flit under way on a link.
    template <class F>
    void for_each_flit(const link& l, const F& f) const;
    void take_off(const link& l);
    void take_out_of(std::uint32_t r);
    std::uint32_t take_out_of_nics(std::uint32_t packet);
    std::vector<ended_packet> in_order_of_sources();
    void give_credit(const link_end& to, std::uint32_t vc);
    std::uint32_t router_of(const link_end& block) const {
        return block.what == end::kind::router ? block.id : m_net.router_of(block.id);
    }
    bool is_lost(std::uint32_t packet) const { return m_lost.count(packet) != 0; }

    network_state& m_net;
    cycle_t m_t = 0;                          ///< next cycle to be run, from take_out() on
    std::vector<link> m_links;                ///< links that this process reads
    std::vector<std::vector<end>> m_sources;  ///< block that sends to an input port, by [router][port]
    lost_packets m_lost;                      ///< lost packets found so far, with their places
    std::uint32_t m_step = 0;                 ///< number of calls that look for lost packets, so far
    std::optional<lost_pieces> m_pieces;      ///< set if several processes run the network
};

}  // namespace sare
