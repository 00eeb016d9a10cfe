// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/world_counts.h"

#include "tlm/api/other_ranks.h"

namespace sare {

namespace {

template <class Counts>
void add_each(Counts& to, const Counts& from) {
    for (const auto& [where, count] : from) {
        to[where].packets += count.packets;
        to[where].flits += count.flits;
    }
}

void add(packet_changes& to, const packet_changes& from) {
    add_each(to.dropped_by_cause, from.dropped_by_cause);
    add_each(to.dropped_at, from.dropped_at);
    to.lost_messages += from.lost_messages;
    for (const auto& [cause, count] : from.lost_by_cause) to.lost_by_cause[cause] += count;
}

}  // namespace

const packet_changes& world_counts::changes() const {
    const packet_changes& here = m_here.changes();
    std::uint64_t dropped[] = {here.dropped.packets, here.dropped.flits, here.dropped_by_cause.size()};
    m_world.sum(dropped, std::size(dropped));
    if (dropped[2] == 0) return here;  // nor is a message lost
    m_changes = here;
    remote_links::loss first = m_links.first_loss();
    tell_first_rank(
        m_world, [&](archive& mine) { mine(m_changes, first); },
        [&](archive& theirs) {
            packet_changes other;
            remote_links::loss its;
            theirs(other, its);
            add(m_changes, other);
            if (its < first) m_changes.first_lost = other.first_lost, first = its;
        });
    m_changes.dropped = {dropped[0], dropped[1]};
    return m_changes;
}

}  // namespace sare
