// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/failures.h"
#include "tlm/fabric/hazards/packet_removal.h"
#include "tlm/topology/surviving_network.h"

#include <memory>
#include <vector>

namespace sare {

/// Carries out the failures of links and routers, and gives the network a new routing function later
/// (docs/links.md).
///
/// A failure takes out the packets that have a flit on a failing link, hold its output, or are in a failing
/// router. Until a new routing function takes over, a head all of whose candidates lead to failed links is
/// dropped. Before it takes over, the network is emptied, as old and new routes together could close a cycle
/// of waiting: NICs begin no packet, packets under way keep the old routes, and heads that have lost their
/// escape route are dropped, too, so that emptying ends.
class failure_state {
  public:
    /// `net` must have a map.
    failure_state(network_state& net, failure_schedule schedule);

    /// Adds failure `f` at the end of the schedule. Throws std::logic_error if `f.at` is before the cycle of
    /// the last failure in the schedule.
    void add(failure f);
    /// Returns the first cycle after `t` for which run() has something to do; workload::never: none.
    cycle_t next(cycle_t t) const;
    /// True if run(t) has something to do. All processes that run the network must call this together.
    bool is_due(cycle_t t) const { return m_empties || next_change() <= t || any_dead_ends(); }
    /// Carries out what is due before cycle `t` is run: failures, drops, a new routing function.
    void run(cycle_t t);
    /// True while the network is emptied for a new routing function: NICs finish the packets that they have
    /// begun, and begin no others.
    bool empties() const { return m_empties; }
    /// True if a message from node `from` to node `to` may be sent: the source's router works, and there is a
    /// path through the links and routers that routing believes to work.
    bool reaches(std::uint32_t from, std::uint32_t to) const {
        return !m_left.is_dead(m_net.router_of(from)) && m_known->reaches(from, to);
    }
    /// Removes candidates with failed links from `ways`, the routes of the head at input VC `in_vc` of port
    /// `in` of router `r`. A head that has none left is noted, and dropped before the next cycle.
    void leave_out_dead(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_set& ways);
    /// Writes how far the schedule has been carried out; or reads it and carries out as many failures of this
    /// schedule, without dropping packets. Reading throws state_error if more failures have happened here
    /// already.
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
    /// Number of events that have happened; number of events whose time to tell routing has come.
    std::size_t m_failed = 0, m_told = 0;
    std::size_t m_known_events = 0;              ///< number of events that the present routing function knows
    surviving_network m_left;                    ///< the network without all that has failed
    std::unique_ptr<surviving_network> m_known;  ///< the network without the first m_known_events failures
    /// Routing function made for m_known; null: the network's first one is in use.
    std::unique_ptr<routing_function> m_routing;
    std::unique_ptr<packet_removal> m_removal;  ///< null before the first run()
    bool m_empties = false;                     ///< value of empties()
};

}  // namespace sare
