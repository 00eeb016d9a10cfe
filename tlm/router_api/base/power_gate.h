// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sare {

class archive;

/// What can be switched off to save leakage, and is woken by the next flit: a direction of a link, or a
/// router. Cycle numbers are those in which it is given a flit; where a router gives it, of the switch grant.
class power_gate {
  public:
    /// `idle`: cycles without a flit until it falls asleep; 0: only on command. `wake`: cycles that waking
    /// takes.
    power_gate(std::uint32_t idle, std::uint32_t wake) : m_idle(idle), m_wake(wake) { rest(0); }

    /// Returns the first cycle, `t` or later, in which it takes a flit that wants to go in cycle `t`. Wakes
    /// it if it sleeps in cycle `t`. `now`: present cycle; what carries a flit or wakes in it does not fall
    /// asleep before its end.
    cycle_t ready(cycle_t now, cycle_t t) {
        if (m_busy_until <= now) power_up(t);
        return std::max(t, m_busy_until);
    }
    /// Puts it to sleep in cycle `t` or, if it carries a flit or wakes then, as soon as it has ended that.
    void power_down(cycle_t t) { m_asleep_from = std::min(m_asleep_from, std::max(t, m_busy_until)); }
    /// Begins to wake it in cycle `t`; does nothing if it does not sleep then.
    void power_up(cycle_t t) {
        if (t < m_asleep_from) return;
        m_asleep += t - m_asleep_from;
        ++m_wakings;
        rest(t + m_wake);
    }

    /// True if it sleeps in cycle `t`, and does not wake yet.
    bool is_asleep(cycle_t t) const { return t >= m_asleep_from; }
    /// True if a flit may be given to it in cycle `t`: it neither sleeps, wakes nor carries a flit.
    bool is_awake(cycle_t t) const { return !is_asleep(t) && t >= m_busy_until; }
    /// Returns the number of cycles before cycle `t` in which it was asleep; waking does not count.
    std::uint64_t cycles_asleep(cycle_t t) const {
        return m_asleep + (t > m_asleep_from ? t - m_asleep_from : 0);
    }
    std::uint64_t wakings() const { return m_wakings; }  ///< number of times that it was woken
    /// Returns idle and wake times for reports: "after 10 cycles and wake in 5".
    std::string text() const {
        return "after " + std::to_string(m_idle) + " cycles and wake in " + std::to_string(m_wake);
    }
    /// Makes it awake and idle in cycle `t`; its counts stay.
    void reset(cycle_t t) {
        m_asleep = cycles_asleep(t);
        rest(t);
    }

    void serialize(archive& a);

  protected:
    /// Makes it free from cycle `t` on; without flits it then falls asleep after the idle time.
    void rest(cycle_t t) {
        m_busy_until = t;
        m_asleep_from = m_idle == 0 ? workload::never : t + m_idle;
    }
    /// Keeps it awake until rest_from().
    void stay_awake() { m_asleep_from = workload::never; }
    /// Lets it fall asleep when it has been idle from cycle `t` on.
    void rest_from(cycle_t t) { m_asleep_from = std::max(t, m_busy_until) + m_idle; }

  private:
    std::uint32_t m_idle, m_wake;
    /// First cycle in which it neither carries a flit nor wakes; first cycle asleep, never: not foreseen.
    cycle_t m_busy_until = 0, m_asleep_from = 0;
    std::uint64_t m_asleep = 0;  ///< cycles asleep, up to the last waking
    std::uint64_t m_wakings = 0;
};

/// The power gate of a router: it is off when for some cycles no flit has been in it or on the way to it. All
/// links to and from it tell it of their flits.
class router_gate : public power_gate {
  public:
    /// `idle`: 1 or more; `drain`: cycles from the switch grant of a flit until it has left, 1 or more.
    router_gate(std::uint32_t idle, std::uint32_t wake, std::uint32_t drain)
        : power_gate(idle, wake), m_drain(drain) {}

    /// Notes that a flit is on the way to the router.
    void enter() {
        ++m_flits;
        stay_awake();
    }
    /// Notes that a flit leaves, by a switch grant in cycle `t`.
    void leave(cycle_t t) {
        m_empty_from = std::max(m_empty_from, t + m_drain);
        if (--m_flits == 0) rest_from(m_empty_from);
    }
    /// Makes it awake and empty in cycle `t`; its counts stay.
    void reset(cycle_t t) {
        m_flits = 0;
        power_gate::reset(t);
    }

    void serialize(archive& a);

  private:
    std::uint32_t m_drain;
    std::uint64_t m_flits = 0;  ///< flits in the router and on the way to it
    cycle_t m_empty_from = 0;   ///< first cycle after all flits that have been given the switch
};

}  // namespace sare
