// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/mid_cycle.h"

#include "tlm/systemc/kernel_api.h"
#include "tlm/systemc/reports.h"

#include <algorithm>

namespace sare {

mid_cycle::mid_cycle(const sc_core::sc_module_name& name, const cycle_engine& engine)
    : sc_core::sc_module(name), m_engine(engine), m_event("event") {
    SARE_HAS_PROCESS(mid_cycle);
    SC_METHOD(follow);
    sensitive << engine.period_changed();
    dont_initialize();
}

void mid_cycle::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "of = " << m_engine.name() << '\n'
        << "comes next in cycle = " << (m_due == workload::never ? "none" : std::to_string(m_due)) << '\n';
}

void mid_cycle::wake_in(cycle_t at) {
    at = std::max({at, m_next, m_engine.cycle()});
    if (at > m_engine.clock().cycle_at(sc_core::sc_max_time()) - 1) return;  // SystemC's time ends before
    if (middle_of(at) < sc_core::sc_time_stamp()) ++at;
    if (at >= m_due) return;
    m_due = at;
    notify();
}

std::optional<cycle_t> mid_cycle::come() {
    const cycle_t now = m_engine.cycle();
    if (m_due != now) return std::nullopt;
    m_due = workload::never;
    m_next = now + 1;
    return now;
}

void mid_cycle::follow() {
    check(m_engine.cycle() + 1);
    if (m_due != workload::never) notify();
}

void mid_cycle::check(cycle_t cycle) const {
    if (m_engine.clock().period_of(cycle).value() < 2)
        report_error(report_id::period, std::string(m_engine.name()) +
                                            ": blocks beside the network work in the middle of a cycle; its "
                                            "period must be two steps of SystemC's time at least");
}

sc_core::sc_time mid_cycle::middle_of(cycle_t cycle) const {
    const engine_clock& clock = m_engine.clock();
    return clock.begin_of(cycle) + sc_core::sc_time::from_value(clock.period_of(cycle).value() / 2);
}

void mid_cycle::notify() {
    m_event.cancel();
    m_event.notify(middle_of(m_due) - sc_core::sc_time_stamp());
}

}  // namespace sare
