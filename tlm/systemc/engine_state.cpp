// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/checkpoint.h"
#include "tlm/systemc/cycle_engine.h"
#include "tlm/systemc/modules.h"
#include "tlm/systemc/reports.h"

/// Checkpoints of a network and its traffic.
namespace sare {

/// What the memory bridge has under way is in processes of SystemC, which nothing can write.
std::string cycle_engine::why_unwritable() const {
    if (m_failure) return "it has failed, and cannot be written";
    if (m_bridge != nullptr && !m_bridge->finished())
        return "accesses of the memory map are under way, which cannot be written; wait for their end";
    return "";
}

void cycle_engine::serialize_here(archive& a) {
    if (const std::string why = why_unwritable(); !why.empty()) throw state_error(why);
    a(m_posted, m_next_cycle, m_due, m_finished, m_finished_at, m_fabric);
    a.same(m_workload != nullptr ? 1 : 0, "whether it has a workload");
    if (m_workload != nullptr) m_workload->serialize(a);
}

/// Of an engine that has nothing to do until then.
void cycle_engine::go_on_to(cycle_t t) {
    m_next.cancel();
    const sc_core::sc_time due = m_clock.begin_of(t);
    if (due > sc_core::sc_time_stamp()) sc_core::sc_start(due - sc_core::sc_time_stamp());
}

void cycle_engine::serialize(archive& a) {
    cycle_t now = cycle();
    a(now, m_clock);
    if (a.reads()) go_on_to(now);
    serialize_here(a);
    if (a.reads() && m_due != workload::never) work_at(m_due);
}

void cycle_engine::save(std::ostream& to, const std::string& config) {
    const auto write = [this](archive& a) { serialize(a); };
    try {
        state_size nothing;
        write(nothing);
        write_checkpoint(to, {m_fabric.build_text() + "\n" + config, "", cycle()}, write);
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
        const std::string here = m_fabric.build_text() + "\n" + config;
        if (c.info().config != here)
            return wrong("the checkpoint is of another network: '" + c.info().config + "', and this is '" +
                         here + "'");
        if (c.info().cycle < cycle() || c.info().cycle > last_cycle())
            return wrong("the checkpoint is of cycle " + std::to_string(c.info().cycle) +
                         ", and the present one is " + std::to_string(cycle()));
        c.restore([this](archive& a) { serialize(a); });
    } catch (const state_error& problem) {
        wrong(std::string("the checkpoint ") + problem.what());
    }
}

}  // namespace sare
