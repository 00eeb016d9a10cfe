// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sare {

class archive;

/// One direction of a link that can sleep: it falls asleep when it has carried nothing for some cycles, or
/// when it is told to, and what wants to cross it then waits until it is awake. Cycles are those in which a
/// flit is given to it (of a router: in which SA grants it).
class link_sleep {
  public:
    /// `idle`: cycles without a flit after which it falls asleep; 0: only by power_down(). `wake`: cycles
    /// that waking takes.
    link_sleep(std::uint32_t idle, std::uint32_t wake) : m_idle(idle), m_wake(wake) { rest(0); }

    /// The first cycle, `t` or a later one, in which a flit can go that wants to go in cycle `t`, as is known
    /// in cycle `now`: it is woken. While it carries what it was given it does not fall asleep.
    cycle_t ready(cycle_t now, cycle_t t) {
        if (m_busy_until <= now) power_up(t);
        return std::max(t, m_busy_until);
    }
    /// A flit is given to it in cycle `t`, and the next one `cycles` later at the earliest.
    void carry(cycle_t t, std::uint32_t cycles) { rest(t + cycles); }

    /// From cycle `t` on, or when it has carried what it was given.
    void power_down(cycle_t t) { m_asleep_from = std::min(m_asleep_from, std::max(t, m_busy_until)); }
    /// In cycle `t`; nothing if it is awake.
    void power_up(cycle_t t) {
        if (t < m_asleep_from) return;
        m_asleep += t - m_asleep_from;
        ++m_wakings;
        rest(t + m_wake);
    }

    bool is_asleep(cycle_t t) const { return t >= m_asleep_from; }
    /// A flit may be given to it in cycle `t`: it neither sleeps, wakes nor carries one.
    bool is_awake(cycle_t t) const { return !is_asleep(t) && t >= m_busy_until; }
    /// Before cycle `t`, the present one.
    std::uint64_t cycles_asleep(cycle_t t) const {
        return m_asleep + (t > m_asleep_from ? t - m_asleep_from : 0);
    }
    std::uint64_t wakings() const { return m_wakings; }
    std::string text() const {
        return "after " + std::to_string(m_idle) + " cycles and wake in " + std::to_string(m_wake);
    }
    /// It is awake in cycle `t`, and has nothing to carry.
    void reset(cycle_t t) {
        m_asleep = cycles_asleep(t);
        rest(t);
    }

    void serialize(archive& a);

  private:
    /// It has nothing to do from cycle `t` on.
    void rest(cycle_t t) {
        m_busy_until = t;
        m_asleep_from = m_idle == 0 ? workload::never : t + m_idle;
    }

    std::uint32_t m_idle, m_wake;
    cycle_t m_busy_until = 0, m_asleep_from = 0;
    std::uint64_t m_asleep = 0;  ///< cycles, up to the last waking
    std::uint64_t m_wakings = 0;
};

}  // namespace sare
