// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sare {

class archive;

/// Power gate of a block (a direction of a link, or a router), which is switched off to save leakage and
/// woken by the next flit. A flit counts in the cycle in which the block is given it: for a flit from a
/// router, the cycle of its switch grant.
class power_gate {
  public:
    /// `idle`: cycles without a flit until the block falls asleep; 0: only by power_down(). `wake`: cycles
    /// that waking takes.
    power_gate(std::uint32_t idle, std::uint32_t wake) : m_idle(idle), m_wake(wake) { rest(0); }

    /// Returns the first cycle, `t` or later, in which the block takes a flit that wants to go in cycle `t`.
    /// Begins to wake a block that sleeps in cycle `t`, unless it carries a flit or wakes in the present
    /// cycle `now`.
    cycle_t ready(cycle_t now, cycle_t t) {
        if (m_busy_until <= now) power_up(t);
        return std::max(t, m_busy_until);
    }
    /// Puts the block to sleep in cycle `t` or, if it carries a flit or wakes then, as soon as that is over.
    void power_down(cycle_t t) { m_asleep_from = std::min(m_asleep_from, std::max(t, m_busy_until)); }
    /// Begins to wake the block in cycle `t`; does nothing if it does not sleep then.
    void power_up(cycle_t t) {
        if (t < m_asleep_from) return;
        m_asleep += t - m_asleep_from;
        ++m_wakings;
        rest(t + m_wake);
    }

    /// True if the block sleeps in cycle `t` and has not begun to wake.
    bool is_asleep(cycle_t t) const { return t >= m_asleep_from; }
    /// True if the block may be given a flit in cycle `t`: it neither sleeps, wakes nor carries a flit.
    bool is_awake(cycle_t t) const { return !is_asleep(t) && t >= m_busy_until; }
    /// Returns the number of cycles before cycle `t` in which the block was asleep; cycles of waking do not
    /// count.
    std::uint64_t cycles_asleep(cycle_t t) const {
        return m_asleep + (t > m_asleep_from ? t - m_asleep_from : 0);
    }
    std::uint64_t wakings() const { return m_wakings; }  ///< number of times that the block was woken
    /// Returns idle and wake times for reports: "after 10 cycles and wake in 5".
    std::string text() const {
        return "after " + std::to_string(m_idle) + " cycles and wake in " + std::to_string(m_wake);
    }
    /// Makes the block awake and idle in cycle `t`; its counts stay.
    void reset(cycle_t t) {
        m_asleep = cycles_asleep(t);
        rest(t);
    }

    void serialize(archive& a);

  protected:
    /// Makes the block free from cycle `t` on; without flits it then falls asleep after the idle time.
    void rest(cycle_t t) {
        m_busy_until = t;
        m_asleep_from = m_idle == 0 ? workload::never : t + m_idle;
    }
    /// Keeps the block awake until rest_from().
    void stay_awake() { m_asleep_from = workload::never; }
    /// Lets the block fall asleep when it has been idle for the idle time, counted from cycle `t`.
    void rest_from(cycle_t t) { m_asleep_from = std::max(t, m_busy_until) + m_idle; }

  private:
    std::uint32_t m_idle, m_wake;  ///< idle time and waking time, in cycles
    /// First cycle in which the block neither carries a flit nor wakes; first cycle asleep, workload::never:
    /// not foreseen.
    cycle_t m_busy_until = 0, m_asleep_from = 0;
    std::uint64_t m_asleep = 0;   ///< cycles asleep, up to the last waking
    std::uint64_t m_wakings = 0;  ///< result of wakings()
};

/// Power gate of a router, which falls asleep after `idle` cycles without a flit in it or on the way to it.
/// All links to and from the router call enter() and leave().
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
    /// Makes the router awake and empty in cycle `t`; its counts stay.
    void reset(cycle_t t) {
        m_flits = 0;
        power_gate::reset(t);
    }

    void serialize(archive& a);

  private:
    std::uint32_t m_drain;      ///< cycles from the switch grant of a flit until it has left
    std::uint64_t m_flits = 0;  ///< flits in the router and on the way to it
    cycle_t m_empty_from = 0;   ///< first cycle after all flits that have been given the switch
};

}  // namespace sare
