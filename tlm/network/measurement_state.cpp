// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/network/measurement.h"

/// Writes a run that is to be resumed.
namespace sare {

void measurement::serialize(archive& a) {
    m_engine.serialize(a);
    m_collector.serialize_all(a);
    a(m_now, m_progress, m_recent, m_last_moves, m_moved_at, m_last);
    a(m_out->status, m_out->reason, m_out->batches, m_out->series);
}

/// Returns cycles that do not depend on when a run was resumed.
cycle_t measurement::next_checkpoint() const {
    const cycle_t every = m_control.checkpoints.cycles;
    return !m_control.keep || every == 0 ? workload::never : (m_now / every + 1) * every;
}

void measurement::keep_if_due() {
    if (!m_control.keep || m_engine.finished()) return;
    const checkpoint_rule& rule = m_control.checkpoints;
    if ((rule.cycles != 0 && m_now % rule.cycles == 0) || (rule.seconds != 0 && is_late())) keep();
}

/// True if a checkpoint is due by the wall clock, with several processes that of the first one.
bool measurement::is_late() const {
    const std::chrono::duration<double> since = clock::now() - m_kept;
    const bool late = since.count() >= m_control.checkpoints.seconds;
    world* const all = m_engine.counters().processes();
    return all == nullptr ? late : all->of_first(std::uint64_t{late}) != 0;
}

void measurement::keep() {
    if (!m_control.keep) return;
    m_control.keep(m_now, [this](archive& a) { serialize(a); });
    m_kept = clock::now();
}

}  // namespace sare
