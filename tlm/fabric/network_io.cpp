// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/network_state.h"
#include "tlm/router_api/check/bank_check.h"
#include "tlm/state/archive.h"

/// Writes and reads the state that cycles change. What building has made is not written.
namespace sare {

void link_ring::serialize(archive& a) const {
    a.same(bytes(), "the size of the planes of links");
    a.sparse(m_words, bytes());
}

/// Changes are of one clock at different levels, which building has made.
void running_clock::serialize(archive& a) {
    std::size_t count = m_spans.size();
    a(count);
    m_spans.resize(count, m_spans[0]);
    for (span& s : m_spans) {
        std::uint32_t cycles = s.ratio.cycles(), edges = s.ratio.edges();
        a(s.from, s.begin, s.edge, s.level, cycles, edges);
        s.ratio = {cycles, edges};
    }
}

void network_clocks::governed::serialize(archive& a) {
    a(its->clock, sent, next);
    a(*policy);
}

void network_clocks::serialize(archive& a) {
    for (governed& g : m_governed) a(g);
}

void clock_domain::serialize(archive& a) {
    const clock_ratio& its = m_clock.first_ratio();
    a.same(its.cycles(), "the clock of some routers");
    if (its.edges() != 1) a.same(its.edges(), "the clock of some routers");
    a(m_ring);
    a.same(m_crossings.size(), "the number of links between clocks");
    for (clock_crossing& c : m_crossings) a.in_place(c.free);
    for (const auto& bank : m_banks) {
        a.same(bank->variant(), "the kind of some routers");
        a.same(bank->size(), "the number of routers of a kind");
        bank->serialize(a);
    }
    for (const auto& check : m_checks)
        if (check) a(*check);
}

void power_gate::serialize(archive& a) {
    a.same(m_idle, "after how long a link sleeps, or a router goes off");
    a.same(m_wake, "how long a link or router takes to wake");
    a(m_busy_until, m_asleep_from, m_asleep, m_wakings);
}

void router_gate::serialize(archive& a) {
    power_gate::serialize(a);
    a(m_flits, m_empty_from);
}

void congestion_board::serialize(archive& a) {
    a(m_samples);
}

void scattered_packets::serialize(archive& a) {
    a(m_numbers, m_names, m_here);
}

void remote_links::loss::serialize(archive& a) {
    a(at, router, order, source);
}

void remote_links::serialize(archive& a) {
    a.same(m_world.ranks(), "the number of processes that run the network");
    a.same(m_world.rank(), "the process");
    a.same(digest(m_ranks), "which routers each of the processes runs");
    a.same(m_words_each, "what goes with messages");
    for (neighbour& n : m_neighbours)
        for (incoming& w : n.wires) a.in_place(w.packet);
    if (m_scattered) a(*m_scattered);
    a(m_end, m_last_number, m_partial, m_gone_on, m_words_by_message, m_counts, m_first_loss);
}

namespace {

/// Writes or reads the drops that workloads are told of in the next cycle.
void serialize_drops(archive& a, std::vector<packet_drop>& drops, packet_changes& changes) {
    std::size_t count = drops.size();
    a(count);
    drops.resize(count);
    for (packet_drop& d : drops) {
        std::string cause = a.reads() ? "" : *d.cause;
        a(d.at.router, d.at.port, d.at.phase, d.at.on_link, d.message, d.flits, cause, d.order);
        d.cause = &changes.dropped_by_cause.try_emplace(cause).first->first;
    }
}

}  // namespace

void network_state::serialize(archive& a) {
    if (!foreign.empty())
        throw unwritable(
            "what blocks that are not the model's have inside (routers in RTL, modules of one's own on its "
            "links)");
    a.same(parts.size(), "the number of threads that run the network (--threads)");
    if (parts.size() > 1) a.same(digest(map_of_parts), "which routers each of the threads runs");
    a.same(sleepers.size(), "the number of links that can sleep");
    for (link_sleep& s : sleepers) a(s);
    a.same(table.gates.size(), "the number of routers that can go off");
    for (auto& [r, gate] : table.gates) a(gate);
    if (hazards != nullptr && hazards->failures) a(*hazards->failures);  // it chooses the routing
    a(m_now, begun, modes.refusals, traffic.first_cycle, traffic.cycle_seconds, shuffle.on, shuffle.random,
      m_packets, m_messages, changes, nics);
    a(table.running);
    for (clock_domain* const d : domains) a(*d);
    if (remote != nullptr) a(*remote);
    if (board != nullptr) a(*board);
    if (hazards != nullptr && hazards->errors) a(*hazards->errors);
    a.same(event_counters != nullptr, "whether events of routers are counted");
    if (event_counters) a(event_counters->all());
    serialize_drops(a, events.drops, changes);
}

}  // namespace sare
