// SPDX-License-Identifier: Apache-2.0
#include "tlm/analytic/contention_free.h"

#include "tlm/api/message_check.h"
#include "tlm/fabric/checks.h"
#include "tlm/topology/properties.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace sare {

contention_free::contention_free(const topology& map, const nic_params& nic, double clock_seconds,
                                 std::uint32_t classes, bool crossbar)
    : m_map(map),
      m_nic(nic),
      m_rule(clock_seconds, nic.flit_bytes),
      m_cycle_seconds(clock_seconds),
      m_dims(node_dims(map)),
      m_classes(classes),
      m_crossbar(crossbar),
      m_no_changes(),
      m_nodes(map.nodes()),
      m_overlap(map.nodes()) {
    m_nic.pad = false;
}

bool contention_free::arrival::operator<(const arrival& other) const {
    return std::tie(when, node, number) > std::tie(other.when, other.node, other.number);
}

void contention_free::set_workload(workload& w, bool stop_when_finished) {
    m_workload = &w;
    m_stop_when_finished = stop_when_finished;
    w.start(*this);
}

/// The very first cycle is always run: a workload may be finished as it starts.
cycle_t contention_free::next_work(cycle_t) const {
    if (m_finished) return workload::never;
    if (!m_begun) return 0;
    const cycle_t next = std::min(m_workload->next_tick(), next_advance());
    return m_arrivals.empty() ? next : std::min(next, m_arrivals.top().when);
}

void contention_free::run_until(cycle_t end) {
    for (cycle_t t = next_work(m_now); t < end; t = next_work(t)) step(t);
    if (!m_finished && end != 0) m_now = end - 1;
}

void contention_free::step(cycle_t t) {
    m_begun = true;
    m_now = t;
    advance(t);
    while (!m_arrivals.empty() && m_arrivals.top().when == t) {
        const arrival next = m_arrivals.top();
        m_arrivals.pop();
        arrive(next);
    }
    call_for_room();
    if (m_workload->next_tick() == t) {
        m_workload->tick(t);
        call_for_room();
    }
    m_finished = m_stop_when_finished && m_workload->finished() && m_arrivals.empty() &&
                 next_advance() == workload::never;
}

void contention_free::call_for_room() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> asked;
    while (!m_room.empty()) {
        asked.clear();
        asked.swap(m_room);
        for (const auto& [node, message_class] : asked) m_workload->queue_space(node, message_class);
    }
}

path_cost contention_free::path(node_id from, node_id to) const {
    if (!m_crossbar) return path_between(m_map, from, to);
    path_cost ends = link_from(from.value);
    ends.add(link_to(to.value));
    return ends;
}

path_cost contention_free::link_from(std::uint32_t node) const {
    path_cost link;
    link.add(m_map.injection_link(node_id(node)));
    return link;
}

path_cost contention_free::link_to(std::uint32_t node) const {
    path_cost link;
    const router_port exit = m_map.ejection_of(node_id(node));
    link.add(m_map.link(exit.router, exit.port));
    return link;
}

std::uint32_t contention_free::router_of(std::uint32_t node) const {
    return m_map.router_of(node_id(checked_number("node", node, nodes()))).value;
}

void contention_free::call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t) {
    check_queue(node, message_class);
    call_soon(node, message_class);
}

void contention_free::check_queue(std::uint32_t node, std::uint32_t message_class) const {
    checked_number("node", node, nodes());
    checked_number("message class", message_class, classes());
}

void contention_free::send(const message& m) {
    check_message(m, nodes(), classes());
    const path_cost taken = path(node_id(m.source), node_id(m.destination));
    const std::uint64_t bits = m_rule.bits(m);
    const std::uint32_t slot = m_flights.take();
    m_flights[slot] = {m, m_now, taken.links, 0};
    inject(slot);
    will_arrive(slot, m_now + m_rule.cycles(taken, bits));
    m_overlap.note(m.source, false, static_cast<double>(m_rule.start_of(m_now)),
                   static_cast<double>(m_rule.transfer(link_from(m.source), bits)));
}

void contention_free::inject(std::uint32_t slot) {
    flight& f = m_flights[slot];
    f.injected = m_now;
    for (node_state* n : {&m_nodes[f.what.source], &m_all}) {
        ++n->injected_packets;
        n->injected_flits += f.what.flits;
    }
    if (observer* o = m_observers.get()) o->packet_injected(f.what.source, packet_of(f), m_now);
}

void contention_free::will_arrive(std::uint32_t slot, cycle_t when) {
    const flight& f = m_flights[slot];
    m_slowest = std::max(m_slowest, when - f.injected);
    m_arrivals.push({when, ++m_sent, f.what.destination, slot});
}

void contention_free::arrive(const arrival& a) {
    const flight f = m_flights[a.slot];
    m_flights.give_back(a.slot);
    const auto taken = static_cast<double>(m_rule.transfer(link_to(a.node), m_rule.bits(f.what)));
    m_overlap.note(a.node, true, static_cast<double>(m_rule.start_of(m_now)) - taken, taken);
    for (node_state* n : {&m_nodes[a.node], &m_all}) {
        ++n->consumed_packets;
        n->consumed_flits += f.what.flits;
    }
    m_flit_hops += std::uint64_t{f.what.flits} * (f.links - 1);
    if (observer* o = m_observers.get()) {
        message_record m;
        m.what = f.what;
        m.injected = f.injected;
        o->single_packet_message_consumed(a.node, packet_of(f), m, m_now);
    }
    if (m_workload->wants_deliveries()) m_workload->delivered({f.what, f.injected, m_now});
}

/// Returns the packet. A router is between each two links; hops are limited to what a packet can count.
packet contention_free::packet_of(const flight& f) const {
    constexpr std::uint32_t most = std::numeric_limits<decltype(packet::hops)>::max();
    packet p;
    p.route.source = f.what.source;
    p.route.destination = f.what.destination;
    p.route.vc_base = static_cast<std::uint8_t>(f.what.message_class);  // there are no VCs: see class_of()
    p.flits = f.what.flits;
    p.hops = static_cast<std::uint16_t>(std::min(f.links - 1, most));
    p.generated = f.what.generated;
    p.injected = f.injected;
    return p;
}

node_counts contention_free::counts_of(std::uint32_t node) const {
    const node_state& n = m_nodes[node];
    return {n.injected_packets, n.consumed_packets, n.injected_flits, n.consumed_flits, {}, {}};
}

}  // namespace sare
