// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/router_api/clock_domain.h"
#include "tlm/router_api/connection.h"

#include <string>
#include <utility>
#include <vector>

namespace sare {

class network_state;

/// Calls the observers of flits and of cycles of a network: for each flit in the cycle in which it can be
/// read at the end of its link, and for each cycle when it is over. A network without such observers has no
/// link_watch.
class link_watch {
  public:
    explicit link_watch(network_state& net);

    /// Adds an observer of flits. Returns the names of the links, indexed by the numbers that it is told.
    std::vector<std::string> add(flit_observer& o);
    /// Adds an observer of cycles.
    void add(cycle_observer& o) { m_cycles.push_back(&o); }
    void remove(const flit_observer& o);
    void remove(const cycle_observer& o);
    bool empty() const { return m_flits.empty() && m_cycles.empty(); }  ///< there is no observer
    /// Returns the writing and the reading end of each link, indexed as by add(); empty before the first
    /// flit_observer.
    std::vector<std::pair<link_end, link_end>> links() const;

    /// Begins cycle `t`: tells the cycles before, makes `t` the current one and shows the flits that can be
    /// read in it.
    void begin(cycle_t t);
    /// Tells observers of cycles of each cycle before `before` that they have not been told.
    void tell_cycles(cycle_t before);
    /// Tells observers of cycles that a reset or a failure before cycle `t` has taken packets out.
    void tell_reset(cycle_t t) const {
        for (cycle_observer* o : m_cycles) o->packets_taken_out(t);
    }

  private:
    /// A link as its reader sees it.
    struct view {
        const clock_domain* where;  ///< domain of the reader; null: in another process, which shows the link
        wire at;                    ///< place in a plane where flits are read
        link_end from, to;
    };
    void find_links();
    void show_flits(cycle_t t);

    network_state& m_net;
    std::vector<view> m_links;
    std::vector<flit_observer*> m_flits;
    std::vector<cycle_observer*> m_cycles;
    cycle_t m_next;  ///< first cycle that observers of cycles have not been told
};

}  // namespace sare
