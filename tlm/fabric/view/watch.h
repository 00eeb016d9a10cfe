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

/// Calls the observers of flits and of cycles of a network: for each flit in the cycle in which the block at
/// the end of its link can read it, and for each cycle when it is over. A network without such observers has
/// no link_watch.
class link_watch {
  public:
    explicit link_watch(network_state& net);

    /// Adds an observer of flits, which must outlive this or be removed. An observer added twice is called
    /// twice. Returns the names of the links, indexed by the link numbers that `o` is told.
    std::vector<std::string> add(flit_observer& o);
    /// Adds an observer of cycles, which must outlive this or be removed. An observer added twice is called
    /// twice.
    void add(cycle_observer& o) { m_cycles.push_back(&o); }
    /// Removes an observer of flits; does nothing if it is not there.
    void remove(const flit_observer& o);
    /// Removes an observer of cycles; does nothing if it is not there.
    void remove(const cycle_observer& o);
    /// True if there is no observer of flits or cycles.
    bool empty() const { return m_flits.empty() && m_cycles.empty(); }
    /// Returns the writing and the reading end of each link, indexed as by add(); empty before the first
    /// flit_observer.
    std::vector<std::pair<link_end, link_end>> links() const;

    /// Begins cycle `t`: tells observers of cycles that the cycles before are over, makes `t` the current
    /// cycle, and shows observers of flits the flits that can be read in it.
    void begin(cycle_t t);
    /// Tells observers of cycles each cycle before `before` that they have not been told yet, except idle
    /// cycles in which no credit can arrive.
    void tell_cycles(cycle_t before);
    /// Tells observers of cycles that a reset or a failure before cycle `t` has taken packets out.
    void tell_reset(cycle_t t) const {
        for (cycle_observer* o : m_cycles) o->packets_taken_out(t);
    }

  private:
    /// A link as its reader sees it.
    struct view {
        /// Domain of the reader; null: the reader is in another process, which shows the flits of this link.
        const clock_domain* where;
        wire at;  ///< place where the reader finds flits in a plane
        link_end from, to;
    };
    void find_links();
    void show_flits(cycle_t t);

    network_state& m_net;
    std::vector<view> m_links;
    std::vector<flit_observer*> m_flits;
    std::vector<cycle_observer*> m_cycles;
    cycle_t m_next;  ///< first cycle that observers of cycles have not been told of
};

}  // namespace sare
