// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/recorder.h"
#include "traffic/program/executor/executor.h"

#include <algorithm>

/// What the recorder of a run is told.
namespace sare::traffic {

bool executor::observe(const observation& how) {
    if (recorder::is_wanted(how)) m_how = how;
    return true;
}

void executor::watch_wait(std::uint32_t s) const {
    const strand& of = m_strands[s];
    task_state as = task_state::wait;
    if (of.is == state::room) as = task_state::send;
    if (of.is == state::waits && of.now.until == wait_for::own) as = task_state::blocked;
    if (of.is == state::waits && (of.now.context & collectives::own_context) != 0)
        as = task_state::collective;
    m_watch->waits(s, of.task, as);
}

/// The stage says already what comes after.
void executor::watch_time(std::uint32_t s, cycle_t time) const {
    const strand& of = m_strands[s];
    task_state as = task_state::compute;
    if (of.now.at == stage::sending) as = task_state::send;
    if (of.now.at == stage::computing) as = task_state::receive;
    m_watch->occupies(s, of.task, as, m_port->now() + time);
}

/// Of a run that was stopped: as far as it came.
void executor::close_watch() const {
    m_watch->close(finished() ? m_end : std::max(m_end, m_port->now()));
}

result_streams executor::files() const {
    return m_watch ? recorder::files(m_watch) : result_streams{};
}

}  // namespace sare::traffic
