// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"
#include "tlm/stats/collector.h"
#include "tlm/stats/statistic.h"

namespace sare {

void collector::serialize(archive& a) {
    a(m_measuring, m_interval.at, m_window.at, m_interval.counted, m_window.counted, m_arrivals.packets,
      m_arrivals.latency);
    a(m_packet_latency, m_message_latency, m_lone_latency, m_messages_consumed);
    m_hops.serialize(a);
    a(m_at_start.links, m_at_start.nodes, m_occupancy);
    serialize_pairs(a);
    a(m_backlogs);
    if (m_classes.any()) m_classes.serialize(a);
}

/// Of a run; a process that is asked by another for what it has counted tells of the collector alone.
void collector::serialize_all(archive& a) {
    serialize(a);
    if (m_asked != nullptr) m_asked->serialize(a);
}

}  // namespace sare
