// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sare {

class archive;

/// One direction of a link that can sleep. The link falls asleep when it has carried nothing for some cycles,
/// or on command; flits for it then wait until it is awake. Cycle numbers are those of the sender's clock in
/// which the link is given a flit; for a router, the cycle of the switch grant.
class link_sleep {
  public:
    /// `idle`: cycles without a flit until the link falls asleep; 0: only on command. `wake`: cycles that
    /// waking takes.
    link_sleep(std::uint32_t idle, std::uint32_t wake) : m_idle(idle), m_wake(wake) { rest(0); }

    /// Returns the first cycle, `t` or later, in which the link takes a flit that wants to go in cycle `t`.
    /// Wakes the link if it sleeps in cycle `t`. `now`: present cycle; a link that carries a flit or wakes in
    /// it does not fall asleep before its end.
    cycle_t ready(cycle_t now, cycle_t t) {
        if (m_busy_until <= now) power_up(t);
        return std::max(t, m_busy_until);
    }
    /// Gives the link a flit in cycle `t`; the next flit can follow `cycles` cycles later.
    void carry(cycle_t t, std::uint32_t cycles) { rest(t + cycles); }

    /// Puts the link to sleep in cycle `t` or, if it carries a flit or wakes then, as soon as it has ended
    /// that.
    void power_down(cycle_t t) { m_asleep_from = std::min(m_asleep_from, std::max(t, m_busy_until)); }
    /// Begins to wake the link in cycle `t`; does nothing if it does not sleep then.
    void power_up(cycle_t t) {
        if (t < m_asleep_from) return;
        m_asleep += t - m_asleep_from;
        ++m_wakings;
        rest(t + m_wake);
    }

    /// True if the link sleeps in cycle `t`, and does not wake yet.
    bool is_asleep(cycle_t t) const { return t >= m_asleep_from; }
    /// True if a flit may be given to the link in cycle `t`: it neither sleeps, wakes nor carries a flit.
    bool is_awake(cycle_t t) const { return !is_asleep(t) && t >= m_busy_until; }
    /// Returns the number of cycles before cycle `t` in which the link was asleep; waking does not count.
    std::uint64_t cycles_asleep(cycle_t t) const {
        return m_asleep + (t > m_asleep_from ? t - m_asleep_from : 0);
    }
    std::uint64_t wakings() const { return m_wakings; }  ///< number of times that it was woken
    /// Returns idle and wake times for reports: "after 10 cycles and wake in 5".
    std::string text() const {
        return "after " + std::to_string(m_idle) + " cycles and wake in " + std::to_string(m_wake);
    }
    /// Makes the link awake and idle in cycle `t`; its counts stay.
    void reset(cycle_t t) {
        m_asleep = cycles_asleep(t);
        rest(t);
    }

    void serialize(archive& a);

  private:
    /// Makes the link free from cycle `t` on; without flits it then falls asleep after the idle time.
    void rest(cycle_t t) {
        m_busy_until = t;
        m_asleep_from = m_idle == 0 ? workload::never : t + m_idle;
    }

    std::uint32_t m_idle, m_wake;
    /// First cycle in which it neither carries a flit nor wakes; first cycle asleep, never: not foreseen.
    cycle_t m_busy_until = 0, m_asleep_from = 0;
    std::uint64_t m_asleep = 0;  ///< cycles asleep, up to the last waking
    std::uint64_t m_wakings = 0;
};

}  // namespace sare
