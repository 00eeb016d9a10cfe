// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/state/archive.h"

/// What cycles change in a network, between two of them. What building has made stays as it is.
namespace sare {

void link_ring::serialize(archive& a) const {
    a.same(bytes(), "the size of the planes of links");
    a.sparse(m_words, bytes());
}

void clock_domain::serialize(archive& a) {
    a.same(m_period, "the clock of some routers");
    a(m_ring);
    a.same(m_crossings.size(), "the number of links between clocks");
    for (clock_crossing& c : m_crossings) a.in_place(c.free);
    for (const auto& bank : m_banks) {
        a.same(bank->variant(), "the kind of some routers");
        a.same(bank->size(), "the number of routers of a kind");
        bank->serialize(a);
    }
}

void link_sleep::serialize(archive& a) {
    a.same(m_idle, "after how long a link sleeps");
    a.same(m_wake, "how long a link takes to wake");
    a(m_busy_until, m_asleep_from, m_asleep, m_wakings);
}

void congestion_board::serialize(archive& a) {
    a(m_samples);
}

void remote_links::serialize(archive& a) {
    a.same(m_world.ranks(), "the number of processes that run the network");
    a.same(m_world.rank(), "the process");
    a.same(digest(m_ranks), "which routers each of the processes runs");
    a.same(m_words_each, "what goes with messages");
    for (neighbour& n : m_neighbours)
        for (incoming& w : n.wires) a.in_place(w.packet);
    a(m_end, m_last_number, m_partial, m_words_by_message, m_counts);
}

namespace {

/// Messages that have been refused: their workload is told in the next cycle.
void serialize_drops(archive& a, std::vector<packet_drop>& drops, packet_changes& changes) {
    std::size_t count = drops.size();
    a(count);
    drops.resize(count);
    for (packet_drop& d : drops) {
        std::string cause = a.reads() ? "" : *d.cause;
        a(d.at.router, d.at.port, d.at.phase, d.at.on_link, d.message, d.flits, cause);
        d.cause = &changes.dropped_by_cause.try_emplace(cause).first->first;
    }
}

}  // namespace

void fabric::serialize(archive& a) {
    if (!m_foreign.empty())
        throw unwritable(
            "what blocks that are not the model's have inside (routers in RTL, modules of one's "
            "own on its links)");
    a.same(m_parts.size(), "the number of threads that run the network");
    if (m_parts.size() > 1) a.same(digest(m_partition_map), "which routers each of the threads runs");
    a.same(m_sleepers.size(), "the number of links that can sleep");
    for (link_sleep& s : m_sleepers) a(s);
    if (m_hazards != nullptr && m_hazards->failures) a(*m_hazards->failures);  // it chooses the routing
    a(m_now, m_begun, m_first_cycle, m_cycle_seconds, m_shuffle, m_shuffle_random, m_packets, m_messages,
      m_changes, m_nics);
    for (clock_domain* const d : m_domains) a(*d);
    if (m_remote != nullptr) a(*m_remote);
    if (m_board != nullptr) a(*m_board);
    if (m_hazards != nullptr && m_hazards->errors) a(*m_hazards->errors);
    serialize_drops(a, m_drops, m_changes);
}

std::string fabric::build_text() const {
    std::string text = m_map->name() + ", nodes " + std::to_string(nodes()) + ", vcs " +
                       std::to_string(m_vcs) + ", classes " + std::to_string(m_classes) + ", seed " +
                       std::to_string(m_seed) + ", routing " + m_routing->name() + ", packets of " +
                       std::to_string(max_packet()) +
                       (threads() == 1 ? "" : ", run by " + std::to_string(threads()) + " threads");
    for (const clock_domain* const d : m_domains) {
        text += "; clock " + std::to_string(d->period()) + ", planes of " + std::to_string(d->ring().bytes());
        for (const auto& bank : d->banks())
            text += ", " + std::to_string(bank->size()) + " routers '" + bank->variant() + "' of depth " +
                    std::to_string(bank->terms().depth) + ", " + std::to_string(bank->bytes()) + " bytes";
    }
    std::map<std::string, unsigned> sleepers;
    for (const link_sleep& s : m_sleepers) ++sleepers[s.text()];
    for (const auto& [how, links] : sleepers) text += "; " + std::to_string(links) + " links sleep " + how;
    return text;
}

}  // namespace sare
