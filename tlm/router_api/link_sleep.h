// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/base/power_gate.h"

namespace sare {

/// Power gate of one direction of a link that can sleep, or that leads to or from a router that can be
/// switched off. Flits for the link wait until the link and the router at its end are awake.
class link_sleep : public power_gate {
  public:
    /// `idle`, `wake`: times of the link (power_gate); both 0: it never sleeps. `from`, `to`: gates of the
    /// routers at its ends, which must outlive it; null: no router, or one that is never off.
    link_sleep(std::uint32_t idle, std::uint32_t wake, router_gate* from = nullptr, router_gate* to = nullptr)
        : power_gate(idle, wake), m_from(from), m_to(to) {}

    /// Returns the first cycle, `t` or later, in which the link can take a flit that wants to go in cycle
    /// `t`. Wakes the link if it sleeps in cycle `t`, and the router at its end if that is off in the present
    /// cycle `now`.
    cycle_t ready(cycle_t now, cycle_t t) {
        const cycle_t own = power_gate::ready(now, t);
        return m_to == nullptr ? own : std::max(own, m_to->ready(now, now));
    }
    /// Gives the link a flit in cycle `t`, a result of ready() (not checked); the next flit can follow
    /// `cycles` cycles later.
    void carry(cycle_t t, std::uint32_t cycles) {
        rest(t + cycles);
        if (m_from != nullptr) m_from->leave(t);
        if (m_to != nullptr) m_to->enter();
    }

  private:
    router_gate *m_from, *m_to;  ///< gates of the routers at the ends; null: none
};

}  // namespace sare
