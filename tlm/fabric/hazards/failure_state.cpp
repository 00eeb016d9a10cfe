// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/failure_state.h"

#include "tlm/fabric/hazards/network_reset.h"

#include "tlm/state/archive.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sare {

using kind = link_end::kind;

failure_state::failure_state(network_state& net, failure_schedule schedule)
    : m_net(net),
      m_schedule(std::move(schedule)),
      m_left(*net.map()),
      m_known(std::make_unique<surviving_network>(*net.map())) {
    m_left.find_parts();
    m_known->find_parts();
}

void failure_state::add(failure f) {
    auto& all = m_schedule.events;
    if (!all.empty() && f.at < all.back().at)
        throw std::logic_error("failure_state: a failure before one that is planned");
    all.push_back(std::move(f));
}

cycle_t failure_state::next_change() const {
    cycle_t next = workload::never;
    if (m_failed < m_schedule.events.size()) next = m_schedule.events[m_failed].at;
    if (m_told < m_failed) next = std::min(next, m_schedule.events[m_told].at + m_schedule.reroute);
    return next;
}

cycle_t failure_state::next(cycle_t t) const {
    if (m_empties || any_dead_ends_here()) return t + 1;
    const cycle_t change = next_change();
    return change == workload::never ? change : std::max(change, t + 1);
}

void failure_state::run(cycle_t t) {
    if (!m_removal) m_removal = std::make_unique<packet_removal>(m_net);
    begin_removal(m_net, t);
    if (next_change() <= t || any_dead_ends()) take_out(t);
    if (m_empties && is_empty()) learn();
    end_removal(m_net, t);
}

void failure_state::take_out(cycle_t t) {
    hand_over(t);
    drop_dead_ends(t);  // here and below: before the heads that were noted move
    while (m_failed < m_schedule.events.size() && m_schedule.events[m_failed].at <= t)
        carry_out(m_schedule.events[m_failed++], t);
    const std::size_t told = m_told;
    while (m_told < m_failed && m_schedule.events[m_told].at + m_schedule.reroute <= t) ++m_told;
    if (m_told != told) begin_to_empty(t);
    drop_dead_ends(t);
}

/// Moves what is under way between parts and between processes to the planes where it will be read.
void failure_state::hand_over(cycle_t t) {
    if (m_net.remote != nullptr) m_net.remote->exchange(t, t + m_net.domains.front()->ring().reach() + 1);
    for (clock_domain* const from : m_net.domains)
        for (clock_domain* const to : m_net.domains)
            for (cycle_t k = t; from != to && k <= t + from->ring().reach(); ++k) from->hand_over(*to, k);
}

bool failure_state::any_dead_ends_here() const {
    return std::any_of(m_net.parts.begin(), m_net.parts.end(),
                       [](const partition& p) { return !p.dead_ends.empty(); });
}

/// True if a head is noted in any process. Processes ask each other only while there can be one: until
/// routing knows of all that has failed.
bool failure_state::any_dead_ends() const {
    const bool here = any_dead_ends_here();
    if (m_net.remote == nullptr || (m_failed == m_known_events && !m_empties)) return here;
    return m_net.remote->processes().sum(std::uint64_t{here}) != 0;
}

/// True if no packet is under way in any process.
bool failure_state::is_empty() const {
    const std::uint64_t here = m_net.packets().in_use();
    return (m_net.remote == nullptr ? here : m_net.remote->processes().sum(here)) == 0;
}

void failure_state::fail(const failure& f, surviving_network& in) const {
    for (const auto& [r, p] : f.ports) in.fail(r, p);
    for (const std::uint32_t r : f.routers) in.fail_router(r);
}

/// Drops the packets that a failure catches, then tells the routers at both ends of its links, and a failed
/// router of the ports of its nodes.
void failure_state::carry_out(const failure& f, cycle_t t) {
    fail(f, m_left);
    m_left.find_parts();
    for (const auto& [r, p] : f.ports) {
        m_removal->add_those_on_link_from(r, p);
        m_removal->add_those_that_hold(r, p);
    }
    for (const std::uint32_t r : f.routers) {
        m_removal->add_those_in({kind::router, r, 0});
        m_removal->add_those_on_links_of({kind::router, r, 0});
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n)
            if (m_net.router_of(n) == r) m_removal->add_those_in({kind::nic, n, 0});
    }
    m_removal->run(t, loss::failure);
    drop_dead_ends(t);
    const auto tell = [&](std::uint32_t r, std::uint32_t p) {
        if (m_net.has_router(r)) m_net.bank_of(r).fail_port(m_net.in_bank(r), p, t);
    };
    for (const auto& [r, p] : f.ports) tell(r, p);
    for (const std::uint32_t r : f.routers) {
        for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
            if (m_net.map()->peer(router_id(r), port_id(p)).what == port_peer::kind::node) tell(r, p);
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n)
            if (m_net.router_of(n) == r) withdraw(n, true);
    }
    m_removal->tell_withdrawn(loss::unreachable);
    drop_dead_ends(t);
}

/// Takes back messages of a node that have not been sent yet: all of them, or those that cannot arrive.
void failure_state::withdraw(std::uint32_t node, bool all) {
    m_removal->next_node();
    if (!m_net.has_node(node)) return;
    const auto [its, n] = m_net.nics.at(node);
    its.withdraw(
        n, [&](const message& m) { return all || !reaches(node, m.destination); },
        [&](std::uint32_t id, std::uint32_t flits) { m_removal->withdraw(id, flits, loss::unreachable); });
}

void failure_state::leave_out_dead(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_set& ways) {
    bool escapes = !m_empties || !m_net.routing()->needs_escape();
    std::uint32_t left = 0;
    for (std::uint32_t n = 0; n < ways.size; ++n) {
        const route_candidate way = ways.candidates[n];
        if (m_left.is_dead(r, way.port)) continue;
        escapes = escapes || way.escape ||
                  m_net.map()->peer(router_id(r), port_id(way.port)).what == port_peer::kind::node;
        ways.candidates[left++] = way;
    }
    ways.size = escapes ? left : 0;
    ways.repeats = 0;
    if (ways.size != 0) return;
    ways.candidates[0] = {0, false, 0};
    m_net.parts[m_net.map_of_parts.of_router[r]].dead_ends.push_back({r, in, in_vc});
}

/// Drops the heads that were noted, again and again, as heads that come to the front then ask for a route,
/// too.
void failure_state::drop_dead_ends(cycle_t t) {
    while (any_dead_ends()) {
        for (partition& p : m_net.parts) {
            for (const partition::dead_end& h : p.dead_ends)
                m_removal->add(m_net.in(h.router, h.port, h.vc).packet, h.router);
            p.dead_ends.clear();
        }
        m_removal->run(t, loss::dead_end);
    }
}

void failure_state::begin_to_empty(cycle_t t) {
    if (!m_schedule.make_routing) return;
    m_empties = true;
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        if (m_net.has_router(r)) m_net.bank_of(r).route_again(m_net.in_bank(r), t);
}

/// Replaces the routing function by one for what the first `events` of the schedule have left.
void failure_state::know(std::size_t events) {
    auto known = std::make_unique<surviving_network>(*m_net.map());
    for (std::size_t k = 0; k < events; ++k) fail(m_schedule.events[k], *known);
    known->find_parts();
    auto routing = m_schedule.make_routing(*known);
    m_net.route_by(*routing);
    m_routing = std::move(routing);
    m_known = std::move(known);
    m_known_events = events;
}

/// Lets the new routing function take over. The network is empty.
void failure_state::learn() {
    know(m_told);
    for (std::uint32_t n = 0; n < m_net.nodes(); ++n) withdraw(n, false);
    m_removal->tell_withdrawn(loss::unreachable);
    m_empties = false;
}

/// Stores numbers of events alone: what works and the routing function follow from them.
void failure_state::serialize(archive& a) {
    std::size_t failed = m_failed, known = m_known_events;
    a(failed, known, m_told, m_empties);
    for (partition& p : m_net.parts) a(p.dead_ends);
    if (failed < m_failed || known < m_known_events)
        throw state_error("of the links that fail, more have failed than in the checkpoint");
    for (; m_failed < failed; ++m_failed) fail(m_schedule.events[m_failed], m_left);
    m_left.find_parts();
    if (known != m_known_events) know(known);
}

}  // namespace sare
