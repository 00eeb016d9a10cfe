// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"
#include "tlm/state/checkpoint.h"
#include "tlm/systemc/cycle_engine.h"
#include "tlm/systemc/modules.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

/// Checkpoints of a network and its traffic.
namespace sare {

/// Returns the reason why the state cannot be written; "" if it can. Open accesses of the memory bridge are
/// in SystemC processes, which cannot be written.
std::string cycle_engine::why_unwritable() const {
    if (!m_fabric->view().is_finished()) return "it is not elaborated yet";
    if (m_failure) return "it has failed, and cannot be written";
    if (m_bridge != nullptr && !m_bridge->finished())
        return "accesses of the memory map are under way, which cannot be written; wait for their end";
    return "";
}

void cycle_engine::serialize_here(archive& a) {
    if (const std::string why = why_unwritable(); !why.empty()) throw state_error(why);
    end_lag();
    if (a.reads()) m_fabric->arrivals().forget();
    std::vector<posted> waiting = m_posted.list();
    a(waiting, m_next_cycle, m_due, m_finished, m_finished_at, *m_fabric);
    if (a.reads()) m_posted.assign(waiting);
    if (m_bridge != nullptr) m_bridge->serialize(a);
    a.same(m_workload != nullptr ? 1 : 0, "whether it has a workload");
    if (m_workload != nullptr) m_workload->serialize(a);
}

/// Lets SystemC's time go on to the beginning of cycle `t` while this network stands still.
void cycle_engine::go_on_to(cycle_t t, const engine_clock& clock) {
    const sc_core::sc_time due = clock.begin_of(t), now = sc_core::sc_time_stamp();
    if (due < now) throw state_error("is of " + due.to_string() + ", and it is " + now.to_string());
    const std::size_t before = m_posted.size();
    cancel_work();
    m_restores = true;  // what has been notified already comes, and is not to run anything
    if (due > now) sc_core::sc_start(due - now);
    m_restores = false;
    if (m_posted.size() != before) throw state_error("would lose what processes have sent meanwhile");
}

void cycle_engine::serialize(archive& a) {
    cycle_t now = cycle();
    engine_clock clock = m_clock;
    a(now, clock);
    if (a.reads()) {
        go_on_to(now, clock);
        m_clock = clock;
        m_period_changed.notify(sc_core::SC_ZERO_TIME);
    }
    serialize_here(a);
    if (a.reads() && m_due != workload::never) work_at(m_due);
}

/// Returns a description of the network, which must be the same where the state is read.
std::string cycle_engine::build_text(const std::string& config) const {
    return m_fabric->view().build_text() + (m_workload != nullptr ? "; with" : "; without") + " a workload" +
           (m_bridge != nullptr ? ", with a memory map" : "") + "\n" + config;
}

void cycle_engine::save(std::ostream& to, const std::string& config) {
    const auto write = [this](archive& a) { serialize(a); };
    try {
        state_size nothing;
        write(nothing);
        write_checkpoint(to, {build_text(config), "", cycle()}, write);
    } catch (const state_error& problem) {
        report_error(report_id::checkpoint, std::string(name()) + ": " + problem.what());
    }
}

void cycle_engine::restore(std::istream& from, const std::string& config) {
    const auto wrong = [this](const std::string& what) {
        report_error(report_id::checkpoint, std::string(name()) + ": " + what);
    };
    try {
        state_size nothing;
        serialize(nothing);
        checkpoint c(from);
        if (m_fabric->stepper().is_watched())
            return wrong("something looks inside: stop it, restore, and start it again");
        const std::string here = build_text(config);
        if (c.info().config != here)
            return wrong("the checkpoint is of another network: '" + c.info().config + "', and this is '" +
                         here + "'");
        if (c.info().cycle < cycle() || c.info().cycle > last_cycle())
            return wrong(fmt::format("the checkpoint is of cycle {}, and the present one is {}",
                                     c.info().cycle, cycle()));
        c.restore([this](archive& a) { serialize(a); });
    } catch (const state_error& problem) {
        wrong(std::string("the checkpoint ") + problem.what());
    }
}

}  // namespace sare
