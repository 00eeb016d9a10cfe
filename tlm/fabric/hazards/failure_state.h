// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/failures.h"
#include "tlm/fabric/hazards/packet_removal.h"
#include "tlm/topology/surviving_network.h"

#include <memory>
#include <vector>

namespace sare {

/// Carries out the failures of links and routers, and tells routing of them later (docs/links.md).
///
/// A failure takes out the packets that it catches. Until routing knows of it, a head whose candidates are
/// all dead is dropped. Then the network is emptied, as old and new routes together could close a cycle of
/// waiting: NICs begin no packet, packets under way keep the old routes, and heads that have lost their
/// escape are dropped, too, so that emptying ends. After the last packet the new routing function takes over.
class failure_state {
  public:
    /// `net` has a map already.
    failure_state(network_state& net, failure_schedule schedule);

    /// Adds a failure to the schedule. Throws std::logic_error if it is earlier than the last one there.
    void add(failure f);
    /// Returns the first cycle after `t` before which run() has something to do; workload::never: none.
    cycle_t next(cycle_t t) const;
    /// True if run(t) has something to do. All processes that run the network call this together.
    bool is_due(cycle_t t) const { return m_empties || next_change() <= t || any_dead_ends(); }
    /// Carries out what falls due before cycle `t`: failures, drops, a new routing function.
    void run(cycle_t t);
    /// True while the network is emptied: NICs finish the packets that they have begun, and begin no others.
    bool empties() const { return m_empties; }
    /// True if a message from one node to the other may be sent: the source's router works, and a path exists
    /// among all that its routing knows to work.
    bool reaches(std::uint32_t from, std::uint32_t to) const {
        return !m_left.is_dead(m_net.router_of(from)) && m_known->reaches(from, to);
    }
    /// Removes candidates with dead links from `ways`, the routes of the head at input VC `in_vc` of port
    /// `in` of router `r`. A head that has none left is noted, to be dropped before the next cycle.
    void leave_out_dead(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_set& ways);
    /// Writes what has failed, or reads it and makes up for it here. Throws state_error on reading if more
    /// has failed here than when it was written.
    void serialize(archive& a);

  private:
    using end = link_end;
    cycle_t next_change() const;
    void take_out(cycle_t t);
    void carry_out(const failure& f, cycle_t t);
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
    std::size_t m_failed = 0, m_told = 0;  ///< numbers of events carried out, and of those told to routing
    std::size_t m_known_events = 0;        ///< number of events that the present routing function knows
    surviving_network m_left;              ///< network without all that has failed
    std::unique_ptr<surviving_network> m_known;   ///< network without m_known_events
    std::unique_ptr<routing_function> m_routing;  ///< made for m_known; null: the network's first one serves
    std::unique_ptr<packet_removal> m_removal;    ///< null before the first run()
    bool m_empties = false;                       ///< see empties()
};

}  // namespace sare
