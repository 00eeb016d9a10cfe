// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"
#include "traffic/application/applications.h"

namespace sare::traffic {

void application::serialize(archive& a) {
    try {
        m_work->serialize(a);
    } catch (const unwritable&) {
        const config::value* name = m.traffic.find("workload");
        throw state_error("application '" + m_who.name + "': the workload '" +
                          (name == nullptr ? m.traffic.text() : name->text()) + "' cannot be written");
    }
    a(m_envelopes, m_groups, m_under_way.here, m_under_way.leaving, m_pending_requests, m_inside, m_completed,
      m_kept, m_consumed, m_generated, m_lost, m_flying);
    a(m_window.measuring, m_window.begin, m_window.end, m_window.generated, m_window.consumed,
      m_from_generation, m_from_injection);
}

void applications::serialize(archive& a) {
    for (entry& e : m_all) a(*e.what, e.due);
    a(m_requests, m_open, m_last, m_next, m_agreement);
}

}  // namespace sare::traffic
