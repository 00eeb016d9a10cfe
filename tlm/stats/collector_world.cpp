// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/state/text_archive.h"
#include "tlm/stats/collector.h"

#include <algorithm>

/// What several processes have counted, each of its part of the network: rank 0 gets it all.
namespace sare {
namespace {

template <class T>
void add_each(std::vector<T>& sum, const std::vector<T>& more) {
    if (sum.size() < more.size()) sum.resize(more.size());
    for (std::size_t k = 0; k < more.size(); ++k) sum[k] += more[k];
}

}  // namespace

void collector::add(const collector& other) {
    m_packet_latency.add(other.m_packet_latency);
    m_message_latency.add(other.m_message_latency);
    m_lone_latency.add(other.m_lone_latency);
    m_messages_consumed += other.m_messages_consumed;
    add_each(m_injected_hops, other.m_injected_hops);
    add_each(m_consumed_hops, other.m_consumed_hops);
    add_each(m_pair_flits, other.m_pair_flits);
    add_each(m_links_at_start, other.m_links_at_start);
    add_each(m_links_at_end, other.m_links_at_end);
    add_each(m_nodes_at_start, other.m_nodes_at_start);
    add_each(m_nodes_at_end, other.m_nodes_at_end);
    m_backlogs.add(other.m_backlogs);
    m_classes.add(other.m_classes);
    add_each(m_occupancy, other.m_occupancy);
    for (const auto& [pair, traffic] : other.m_pairs) {
        auto& here = m_pairs[pair];
        here.injected += traffic.injected;
        here.injected_flits += traffic.injected_flits;
        here.consumed += traffic.consumed;
        here.consumed_flits += traffic.consumed_flits;
    }
}

void collector::add_other_processes(world& all) {
    text_writer mine;
    if (all.rank() != 0) {
        serialize(mine);
        mine(m_links_at_end, m_nodes_at_end);
    }
    const std::vector<std::string> texts = all.gather(mine.text());
    for (std::size_t rank = 1; rank < texts.size(); ++rank) {
        text_reader theirs(texts[rank]);
        collector other(*this);
        other.serialize(theirs);
        theirs(other.m_links_at_end, other.m_nodes_at_end);
        add(other);
    }
}

}  // namespace sare
