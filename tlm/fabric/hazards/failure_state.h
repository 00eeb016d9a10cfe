// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/failures.h"
#include "tlm/fabric/hazards/packet_removal.h"
#include "tlm/topology/surviving_network.h"

#include <memory>
#include <vector>

namespace sare {

/// What has failed in a network, and what its routing knows of that (docs/links.md).
///
/// A failure takes out the packets that it catches. Until routing knows, a head that has only dead links to
/// go on by is dropped. Then the network is emptied, as ways of old and new routing could close a cycle
/// together: NICs begin no packet, what is under way goes on by the old ways, and heads that have lost their
/// escape are dropped, too, so that it ends. With the last packet the new routing function takes over.
class failure_state {
  public:
    failure_state(network_state& net, failure_schedule schedule);

    /// One more, which is not before those there are; std::logic_error if it is.
    void add(failure f);
    /// The first cycle after `t` that it has to do something before; workload::never: none.
    cycle_t next(cycle_t t) const;
    /// A call of all processes that run the network.
    bool is_due(cycle_t t) const { return m_empties || next_change() <= t || any_dead_ends(); }
    /// Before cycle `t`.
    void run(cycle_t t);
    /// NICs may go on with packets, and begin none.
    bool empties() const { return m_empties; }
    /// A message between two nodes may begin: as far as the NIC of its source knows, it can arrive.
    bool reaches(std::uint32_t from, std::uint32_t to) const {
        return !m_left.is_dead(m_net.router_of(from)) && m_known->reaches(from, to);
    }
    /// Takes dead links out of what a head at input VC `in_vc` of port `in` of a router is answered.
    void leave_out_dead(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_set& ways);
    /// Reading goes on from what has failed here: throws state_error where that is more.
    void serialize(archive& a);

  private:
    using end = link_end;
    cycle_t next_change() const;
    void take_out(cycle_t t);
    void carry_out(const failure& f, cycle_t t);
    void cut_off(std::uint32_t router, cycle_t t);
    void withdraw(std::uint32_t node, bool all);
    void hand_over(cycle_t t);
    bool any_dead_ends_here() const;
    bool any_dead_ends() const;
    bool is_empty() const;
    void drop_dead_ends(cycle_t t);
    void begin_to_empty(cycle_t t);
    void fail(const failure& f, surviving_network& in) const;
    void know(std::size_t events);
    void learn();

    network_state& m_net;
    failure_schedule m_schedule;
    std::size_t m_failed = 0, m_told = 0;  ///< events that have been, and that routing knows of or will
    std::size_t m_known_events = 0;        ///< that it knows of
    surviving_network m_left;
    std::unique_ptr<surviving_network> m_known;
    std::unique_ptr<routing_function> m_routing;  ///< of m_known; null: that which the network began with
    std::unique_ptr<packet_removal> m_removal;    ///< once the wires are there
    bool m_empties = false;
};

}  // namespace sare
