// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/measurement.h"

/// A run that is written, to be gone on with.
namespace sare {

void measurement::serialize(archive& a) {
    m_engine.serialize(a);
    a(m_collector, m_now, m_place, m_series_interval, m_recent, m_last_moves, m_moved_at, m_last);
    a(m_out->status, m_out->reason, m_out->batches, m_out->series);
}

/// The same cycles whenever a run was resumed.
cycle_t measurement::next_checkpoint() const {
    const cycle_t every = m_control.checkpoints.cycles;
    return !m_control.keep || every == 0 ? workload::never : (m_now / every + 1) * every;
}

void measurement::keep_if_due() {
    if (!m_control.keep || m_engine.finished()) return;
    const checkpoint_rule& rule = m_control.checkpoints;
    const std::chrono::duration<double> since = clock::now() - m_kept;
    const bool by_cycles = rule.cycles != 0 && m_now % rule.cycles == 0;
    if (by_cycles || (rule.seconds != 0 && since.count() >= rule.seconds)) keep();
}

void measurement::keep() {
    if (!m_control.keep) return;
    m_control.keep(m_now, [this](archive& a) { serialize(a); });
    m_kept = clock::now();
}

}  // namespace sare
