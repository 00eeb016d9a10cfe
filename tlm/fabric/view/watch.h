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

/// The observers of flits and of cycles of a network: it shows them what is on the links, in the cycle in
/// which it can be read, and everything else when a cycle is over. A network without such observers has none.
class link_watch {
  public:
    explicit link_watch(network_state& net);

    /// Returns the names of the links, by the numbers that flit_observer is told.
    std::vector<std::string> add(flit_observer& o);
    void add(cycle_observer& o) { m_cycles.push_back(&o); }
    void remove(const flit_observer& o);
    void remove(const cycle_observer& o);
    bool empty() const { return m_flits.empty() && m_cycles.empty(); }
    /// The ends of the links by these numbers; none before the first flit_observer.
    std::vector<std::pair<link_end, link_end>> links() const;

    /// Cycle `t` begins.
    void begin(cycle_t t);
    /// All cycles before `before` are over.
    void tell_cycles(cycle_t before);
    /// A reset before cycle `t` has taken packets out.
    void tell_reset(cycle_t t) const {
        for (cycle_observer* o : m_cycles) o->packets_taken_out(t);
    }

  private:
    /// The reading end of a link.
    struct view {
        const clock_domain* where;  ///< null: another process shows it
        wire at;
        link_end from, to;
    };
    void find_links();
    void show_flits(cycle_t t);

    network_state& m_net;
    std::vector<view> m_links;
    std::vector<flit_observer*> m_flits;
    std::vector<cycle_observer*> m_cycles;
    cycle_t m_next;  ///< the first cycle that cycle_observers have not been told of
};

}  // namespace sare
