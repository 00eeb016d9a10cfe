// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/cycle_engine.h"

#include "tlm/fabric/fabric.h"

#include <algorithm>
#include <stdexcept>

/// Functions by which the network lags behind SystemC's time while nothing outside of it can tell.
namespace sare {

/// Decides after cycle `t`, where `next` is the next cycle with work, whether the network may lag behind.
/// True: the engine is woken for the first cycle in which the network may call something outside, or never if
/// there is none.
bool cycle_engine::may_lag(cycle_t t, cycle_t next) {
    if (next == workload::never) return false;
    arrival_bounds& arrivals = m_fabric->arrivals();
    if (!arrivals.is_known()) return false;
    const bool any = arrivals.any_under_way();
    if (!any) arrivals.forget();
    if (m_posted.empty() && !any) return pass_until(arrivals.next_call(t), next);
    cycle_t due = any ? arrivals.next_call(t) : workload::never;
    m_posted.for_each([&](posted& p) { due = std::min(due, first_call_by(p)); });
    if (due <= next) return false;
    lag_until(due);
    return true;
}

/// Returns the first cycle in which the network may call something outside because of `p`, which it gets in
/// cycle p.at + 1.
cycle_t cycle_engine::first_call_by(posted& p) {
    if (p.what_kind != posted::kind::message) return p.at + 1;
    if (p.arrives == 0) p.arrives = m_fabric->arrivals().earliest(p.what, p.at + 1);
    return p.arrives;
}

/// Decides whether a message just posted can be handed in late, if the network lags behind or is idle. True:
/// the engine is woken when the message can arrive, and not before.
bool cycle_engine::may_wait(posted& p) {
    if (m_ahead || !(m_lag.behind || m_due == workload::never)) return false;
    const cycle_t due = first_call_by(p);
    if (due <= p.at + 1) return false;
    lag_until(due);
    return true;
}

/// Lets the network lag behind until cycle `end`, up to which only credits are under way. False if `end`
/// comes before `next`, or never.
bool cycle_engine::pass_until(cycle_t end, cycle_t next) {
    if (end < next || end == workload::never) return false;
    m_lag.behind = true;
    m_fabric->set_behind(this);
    m_lag.passes = end;
    notify_at(m_lag.passing, end);
    return true;
}

/// Lets the network lag behind until cycle `due`, for which the engine is woken.
void cycle_engine::lag_until(cycle_t due) {
    m_lag.behind = true;
    if (m_lag.passes <= due && m_lag.passed != m_lag.passes) {
        m_lag.passing.cancel();
        m_lag.passes = workload::never;
    }
    m_fabric->set_behind(this);
    work_at(due);
}

/// SystemC process that runs when the last credits are back.
void cycle_engine::pass() {
    m_lag.passed = m_lag.passes;
}

void cycle_engine::stop_lagging() {
    m_lag.behind = false;
    if (m_lag.passes == workload::never) return;
    m_lag.passes = m_lag.passed = workload::never;
    m_lag.passing.cancel();
}

/// Runs all cycles before `end` that have not been run, and hands in the messages posted for them.
void cycle_engine::run_late(cycle_t end) {
    const cycle_t due = m_due;
    while (!m_failure && !m_posted.empty() && m_posted.first() + 1 < end) {
        const cycle_t t = m_posted.first() + 1;
        run_to(t);
        if (m_failure) return;
        m_ahead = t;
        run_cycle(t);
        m_ahead.reset();
        m_due = due;
    }
    if (!m_failure) run_to(end);
}

void cycle_engine::run_to(cycle_t end) {
    const cycle_t next = m_fabric->stepper().next_work(m_next_cycle - 1);
    if (next >= end) return;
    m_ahead = next;
    guarded([&] {
        if (m_fabric->stepper().run_unobserved(next, end) < end)
            throw std::logic_error("a message has arrived earlier than it can");
    });
    m_ahead.reset();
    m_next_cycle = m_fabric->port().now() + 1;
}

/// Runs all cycles that have begun, before anything reads the network. A cycle that begins at the present
/// time is run after sc_main has read, and before other processes do. The network's time passes even if
/// nothing happens: routers that run from a list compare it with the cycles in which flits leave.
void cycle_engine::catch_up() {
    const cycle_t now = cycle();
    const bool begun = m_clock.begin_of(now) < sc_core::sc_time_stamp() || m_lag.passed == now ||
                       sc_core::sc_get_status() == sc_core::SC_RUNNING;
    const cycle_t end = std::min(begun ? now + 1 : now, m_due);
    if (m_failure || m_finished || end == 0) return;
    m_fabric->set_behind(nullptr);
    if (m_lag.behind) run_late(end);
    if (m_bridge != nullptr && !m_failure) {
        m_fabric->stepper().pass(end - 1);
        m_next_cycle = std::max(m_next_cycle, end);
    }
    m_fabric->set_behind(this);
}

/// Catches up, and runs the next cycle when its time comes.
void cycle_engine::end_lag() {
    if (!m_lag.behind) return;
    catch_up();
    stop_lagging();
    if (m_failure) return;
    if (const cycle_t next = next_after(m_next_cycle - 1); next != workload::never) work_at(next);
}

}  // namespace sare
