// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/other_ranks.h"
#include "tlm/base/world.h"
#include "tlm/stats/add_each.h"
#include "tlm/stats/collector.h"

/// What several processes have counted, each of its part of the network: rank 0 gets it all.
namespace sare {

void collector::add(const collector& other) {
    m_packet_latency.add(other.m_packet_latency);
    m_message_latency.add(other.m_message_latency);
    m_lone_latency.add(other.m_lone_latency);
    m_messages_consumed += other.m_messages_consumed;
    m_hops.add(other.m_hops);
    add_each(m_at_start.links, other.m_at_start.links);
    add_each(m_at_start.nodes, other.m_at_start.nodes);
    add_each(m_at_end.links, other.m_at_end.links);
    add_each(m_at_end.nodes, other.m_at_end.nodes);
    m_backlogs.add(other.m_backlogs);
    m_classes.add(other.m_classes);
    add_each(m_occupancy, other.m_occupancy);
    add_pairs(other);
}

void collector::add_other_processes(world& all) {
    const auto write = [](archive& a, collector& its) {
        its.serialize(a);
        a(its.m_at_end.links, its.m_at_end.nodes);
    };
    tell_first_rank(
        all, [&](archive& mine) { write(mine, *this); },
        [&](archive& theirs) {
            collector other(*this);
            write(theirs, other);
            add(other);
        });
}

}  // namespace sare
