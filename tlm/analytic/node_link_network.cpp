// SPDX-License-Identifier: Apache-2.0
#include "tlm/analytic/node_link_network.h"

#include "tlm/api/message_check.h"
#include "tlm/fabric/checks.h"

#include <algorithm>

namespace sare {

node_link_network::node_link_network(const topology& map, const nic_params& nic, double clock_seconds,
                                     std::uint32_t classes)
    : contention_free(map, nic, clock_seconds, classes, true),
      m_links(map.nodes()),
      m_of_class(std::size_t{map.nodes()} * classes) {}

void node_link_network::send(const message& m) {
    check_message(m, nodes(), classes());
    const std::uint32_t slot = take_flight();
    flight_at(slot) = {m, now(), path(node_id(m.source), node_id(m.destination)).links, 0};
    node_links& links = m_links[m.source];
    class_counts& its = m_of_class[place_of(m.source, m.message_class)];
    ++its.queued;
    if (++links.queued == 1) return put_on_link(slot, rule().start_of(now()));
    (links.queued == 2 ? links.first : flight_at(links.last).next) = slot;
    links.last = slot;
    its.waiting += {1, m.flits};
}

/// `at`: a time in this cycle or the one before, when the link became free.
void node_link_network::put_on_link(std::uint32_t slot, picoseconds_t at) {
    const message& m = flight_at(slot).what;
    inject(slot);
    const path_cost taken = path(node_id(m.source), node_id(m.destination));
    const picoseconds_t free = at + rule().transfer(link_from(m.source), rule().bits(m));
    const picoseconds_t there = at + rule().latency(taken);
    m_links[m.source].from_free = free;
    m_links[m.source].on_link = m.message_class;
    m_events.push({rule().cycle_of(free), m_made++, m.source, none, free});
    m_events.push({std::max(rule().cycle_of(there), now() + 1), m_made++, m.destination, slot, there});
}

std::uint32_t node_link_network::queued(std::uint32_t node) const {
    return m_links[checked_number("node", node, nodes())].queued;
}

std::uint32_t node_link_network::queued_of(std::uint32_t node, std::uint32_t message_class) const {
    check_queue(node, message_class);
    return m_of_class[place_of(node, message_class)].queued;
}

void node_link_network::advance(cycle_t t) {
    while (!m_events.empty() && m_events.top().when == t) {
        const event next = m_events.top();
        m_events.pop();
        if (next.slot == none)
            link_is_free(next.node);
        else
            come_to_node(next);
    }
}

void node_link_network::link_is_free(std::uint32_t node) {
    node_links& links = m_links[node];
    class_counts& over = m_of_class[place_of(node, links.on_link)];
    if (--over.queued <= over.wanted && over.wanted != none) {
        over.wanted = none;
        call_soon(node, links.on_link);
    }
    if (--links.queued == 0) return;
    const std::uint32_t slot = links.first;
    links.first = flight_at(slot).next;
    const message& next = flight_at(slot).what;
    generated_counts& waiting = m_of_class[place_of(node, next.message_class)].waiting;
    --waiting.messages;
    waiting.flits -= next.flits;
    put_on_link(slot, links.from_free);
}

/// Carries a message over the link to its node: the last bit arrives when the slower link has carried it.
void node_link_network::come_to_node(const event& e) {
    const message& m = flight_at(e.slot).what;
    const std::uint64_t bits = rule().bits(m);
    picoseconds_t& free = m_links[e.node].to_free;
    free = std::max(e.at, free) + rule().transfer(link_to(e.node), bits);
    const picoseconds_t end = std::max(free, e.at + rule().transfer(link_from(m.source), bits));
    will_arrive(e.slot, std::max(rule().cycle_of(end), now()));
}

void node_link_network::call_when_queued(std::uint32_t node, std::uint32_t message_class,
                                         std::uint32_t level) {
    check_queue(node, message_class);
    class_counts& its = m_of_class[place_of(node, message_class)];
    if (its.queued <= level)
        call_soon(node, message_class);
    else
        its.wanted = level;
}

node_counts node_link_network::counts_of(std::uint32_t node) const {
    node_counts all = contention_free::counts_of(node);
    for (std::uint32_t c = 0; c < classes(); ++c) all.waiting += waiting_of(node, c);
    return all;
}

}  // namespace sare
