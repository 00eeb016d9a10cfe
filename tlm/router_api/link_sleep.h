// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sare {

class archive;

/// One direction of a link that can sleep. It falls asleep when it has carried nothing for some cycles, or on
/// command; flits for it then wait until it is awake. Cycles are those in which it is given a flit (by a
/// router: in which SA grants it).
class link_sleep {
  public:
    /// `idle`: cycles without a flit until it falls asleep; 0: only on command. `wake`: cycles of waking.
    link_sleep(std::uint32_t idle, std::uint32_t wake) : m_idle(idle), m_wake(wake) { rest(0); }

    /// Returns the first cycle, `t` or later, in which it takes a flit that wants to go in cycle `t`, as
    /// known in cycle `now`, and wakes it. It does not fall asleep while it carries a flit.
    cycle_t ready(cycle_t now, cycle_t t) {
        if (m_busy_until <= now) power_up(t);
        return std::max(t, m_busy_until);
    }
    /// Gives it a flit in cycle `t`; the next one can follow `cycles` later.
    void carry(cycle_t t, std::uint32_t cycles) { rest(t + cycles); }

    /// Puts it to sleep in cycle `t`, or when it has carried its flits.
    void power_down(cycle_t t) { m_asleep_from = std::min(m_asleep_from, std::max(t, m_busy_until)); }
    /// Wakes it in cycle `t`; does nothing if it is awake.
    void power_up(cycle_t t) {
        if (t < m_asleep_from) return;
        m_asleep += t - m_asleep_from;
        ++m_wakings;
        rest(t + m_wake);
    }

    bool is_asleep(cycle_t t) const { return t >= m_asleep_from; }
    /// True if a flit may be given to it in cycle `t`: it neither sleeps, wakes nor carries a flit.
    bool is_awake(cycle_t t) const { return !is_asleep(t) && t >= m_busy_until; }
    /// Number of cycles asleep before cycle `t`, the current one.
    std::uint64_t cycles_asleep(cycle_t t) const {
        return m_asleep + (t > m_asleep_from ? t - m_asleep_from : 0);
    }
    std::uint64_t wakings() const { return m_wakings; }  ///< number of times that it was woken
    /// Text for reports: "after 10 cycles and wake in 5".
    std::string text() const {
        return "after " + std::to_string(m_idle) + " cycles and wake in " + std::to_string(m_wake);
    }
    /// Makes it awake and idle in cycle `t`.
    void reset(cycle_t t) {
        m_asleep = cycles_asleep(t);
        rest(t);
    }

    void serialize(archive& a);

  private:
    /// Makes it idle from cycle `t` on.
    void rest(cycle_t t) {
        m_busy_until = t;
        m_asleep_from = m_idle == 0 ? workload::never : t + m_idle;
    }

    std::uint32_t m_idle, m_wake;
    cycle_t m_busy_until = 0, m_asleep_from = 0;
    std::uint64_t m_asleep = 0;  ///< in cycles, up to the last waking
    std::uint64_t m_wakings = 0;
};

}  // namespace sare
