// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"
#include "traffic/program/executor/executor.h"

namespace sare::traffic {

void program::serialize(archive&) {
    throw unwritable(title());
}

void executor::serialize(archive& a) {
    if (m_how) throw state_error("what 'observe' records of tasks cannot be written");
    m_program->serialize(a);
    a(m_tasks, m_strands, m_requests, m_dependents, m_names, m_one_sided, m_agenda, m_ready, m_next_ready,
      m_serial);
    a(m_room, m_cores, m_node_cores, m_marks, m_forks, m_done, m_end);
    m_collectives.serialize(a, [this](std::uint32_t id) -> const communicator& { return group(id); });
    if (m_protocol) a(*m_protocol);
}

}  // namespace sare::traffic
