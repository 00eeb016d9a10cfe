// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/stepped/fabric_engine.h"

#include "tlm/api/workload.h"
#include "tlm/fabric/view/wait_for.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {

fabric_engine::fabric_engine(const experiment& e, std::shared_ptr<const topology> map, std::uint32_t classes)
    : m_blueprint(e, std::move(map), classes),
      m_failures(e.failures.empty() ? failure_schedule() : m_blueprint.failures(e, classes)),
      m_fabric(m_blueprint.vcs(), classes, e.seed, e.classes.vcs) {
    m_blueprint.prepare(m_fabric.builder(), e);
    m_blueprint.add_all(m_fabric.builder());
    m_fabric.builder().finish();
    m_fabric.stepper().set_cycle_seconds(e.clock_seconds());
}

void fabric_engine::set_workload(workload& w, bool stop_when_finished) {
    m_workload = &w;
    m_stop_when_finished = stop_when_finished;
    m_fabric.stepper().set_workload(&w, m_next);
}

bool fabric_engine::is_over() const {
    return m_workload != nullptr && m_workload->finished() && m_fabric.view().empty();
}

void fabric_engine::run_until(cycle_t end) {
    if (m_finished || end <= m_next) return;
    // Nothing comes before cycle 0 that could say what it has to do.
    cycle_t t = m_next == 0 ? 0 : std::max(next_work(m_next - 1), m_next);
    while (t < end && !m_finished) {
        m_next = t + 1;
        m_fabric.stepper().step(t);
        m_finished = m_stop_when_finished && is_over();
        t = std::max(next_work(t), m_next);
    }
    if (!m_finished) m_next = end;
    m_fabric.stepper().pass(m_next - 1);
}

std::string fabric_engine::describe_standstill() const {
    const std::string found = describe_wait_for_cycle(m_fabric.view(), m_workload);
    return found.empty() ? "no cycle of waiting packets was found" : found;
}

void fabric_engine::serialize(archive& a) {
    if (a.reads()) m_fabric.arrivals().forget();
    a(m_next, m_finished, m_fabric);
    a.same(m_workload != nullptr ? 1 : 0, "whether it has a workload");
    if (m_workload != nullptr) m_workload->serialize(a);
}

}  // namespace sare
