// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/state/text_archive.h"
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
    text_writer mine;
    if (all.rank() != 0) {
        serialize(mine);
        mine(m_at_end.links, m_at_end.nodes);
    }
    const std::vector<std::string> texts = all.gather(mine.text());
    for (std::size_t rank = 1; rank < texts.size(); ++rank) {
        text_reader theirs(texts[rank]);
        collector other(*this);
        other.serialize(theirs);
        theirs(other.m_at_end.links, other.m_at_end.nodes);
        add(other);
    }
}

}  // namespace sare
