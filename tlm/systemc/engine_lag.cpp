// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/cycle_engine.h"

#include <algorithm>
#include <stdexcept>

/// The network lags behind SystemC's time while nothing outside of it can tell.
namespace sare {

/// After cycle `t`; `next` has work. True if the engine is woken later, for the first cycle in which
/// something outside may be called.
bool cycle_engine::may_lag(cycle_t t, cycle_t next) {
    if (!m_posted.empty() || next == workload::never) return false;
    const cycle_t due = m_fabric.arrivals().next_call(t);
    if (due <= next || due == workload::never) return false;
    m_behind = true;
    m_fabric.set_behind(this);
    work_at(due);
    return true;
}

/// Runs what is left of the cycles before `end`.
void cycle_engine::run_late(cycle_t end) {
    const cycle_t next = m_fabric.stepper().next_work(m_next_cycle - 1);
    if (next >= end) return;
    m_ahead = next;
    guarded([&] {
        if (m_fabric.stepper().run_unobserved(next, end) < end)
            throw std::logic_error("a message has arrived earlier than it can");
    });
    m_ahead.reset();
    m_next_cycle = m_fabric.port().now() + 1;
}

/// Somebody looks: the cycles that have begun are run. The one that begins right now is run after sc_main has
/// looked, and before other processes do. The network's time passes even where nothing happens: by it routers
/// in lists know which of the flits that they have foreseen to leave are gone.
void cycle_engine::catch_up() {
    const cycle_t now = cycle();
    const bool begun =
        m_clock.begin_of(now) < sc_core::sc_time_stamp() || sc_core::sc_get_status() == sc_core::SC_RUNNING;
    const cycle_t end = std::min(begun ? now + 1 : now, m_due);
    if (m_failure || m_finished || end == 0) return;
    m_fabric.set_behind(nullptr);
    if (m_behind) run_late(end);
    if (m_bridge != nullptr && !m_failure) {
        m_fabric.stepper().pass(end - 1);
        m_next_cycle = std::max(m_next_cycle, end);
    }
    m_fabric.set_behind(this);
}

/// From here on each cycle is run when its time comes.
void cycle_engine::end_lag() {
    if (!m_behind) return;
    catch_up();
    m_behind = false;
    if (m_failure) return;
    if (const cycle_t next = next_after(m_next_cycle - 1); next != workload::never) work_at(next);
}

}  // namespace sare
