// SPDX-License-Identifier: Apache-2.0
#include "tlm/combining/network_collectives.h"

#include "tlm/api/message_check.h"
#include "tlm/combining/combiner_network.h"
#include "tlm/routing/multicast/multicast.h"
#include "tlm/topology/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sare {
namespace {

/// Most packets of a stream between its source queue and the combiner: more than fit on the way, so that they
/// follow each other without a pause.
constexpr std::uint32_t most_under_way = 256;

/// Returns what a member contributes to each sum: a number by which a contribution that is lost, or counted
/// twice, shows.
std::uint64_t digest_of(std::uint32_t member) {
    std::uint64_t x = (member + 1) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

std::uint32_t nodes_of(const topology& map) {
    return without_combiners(map).nodes();
}

}  // namespace

network_collectives::network_collectives(workload& inner, const combining_params& p, const topology& map,
                                         bool forks, std::uint32_t packet)
    : forwarding_workload(inner),
      m(p),
      m_map(map),
      m_combined(combiners_of(map)),
      m_nodes(nodes_of(map)),
      m_packet(packet),
      m_forks(forks),
      m_dims(node_dims(without_combiners(map))),
      m_tables(p, m_combined == nullptr ? 0 : map.routers()) {}

void network_collectives::start(traffic_port& port) {
    m_port = &port;
    m_table = port.multicast();
    m_inner.start(*this);
}

void network_collectives::send(const message& what) {
    if (const std::string wrong = wrong_with(what, m_nodes, classes()); !wrong.empty())
        throw std::out_of_range("a message " + wrong);
    m_port->send(what);
}

network_collectives::group network_collectives::make_group(std::vector<std::uint32_t> nodes,
                                                           std::uint32_t number) const {
    group g;
    g.nodes = std::move(nodes);
    for (std::uint32_t member = 0; member < g.nodes.size(); ++member) {
        const auto [place, is_new] =
            g.place_at.try_emplace(g.nodes[member], static_cast<std::uint32_t>(g.places.size()));
        if (is_new) g.places.push_back({g.nodes[member], 0});
        ++g.places[place->second].members;
        g.place_of.push_back(place->second);
        g.whole += {1, digest_of(member)};
    }
    if (m_combined != nullptr) g.tree = combining_tree(without_combiners(m_map), g.places, number);
    return g;
}

std::uint32_t network_collectives::open(const std::vector<std::uint32_t>& nodes) {
    const auto number = static_cast<std::uint32_t>(m_groups.size());
    m_groups.push_back(make_group(nodes, number));
    if (m.when_full == full_table::forward) return number;
    for (const std::uint32_t r : m_groups.back().tree.joins())
        if (++m_groups_at[r] > m.groups)
            throw config::error(
                m.at,
                fmt::format(
                    "'combining.groups' is {}, and more groups of tasks meet at router {}: with 'when_full: "
                    "block' each has entries of its own; set 'groups' to more, or take 'when_full: forward'",
                    m.groups, r));
    return number;
}

std::uint32_t network_collectives::find_or_begin(const network_call& call) {
    const auto [found, is_new] = m_by_number.try_emplace({call.group, call.number}, none);
    if (!is_new) return found->second;
    const std::uint32_t slot = found->second = m_operations.take();
    operation& o = m_operations[slot] = {};
    group& g = m_groups[call.group];
    const std::uint32_t flits = flits_for(call.bytes);
    o.as = call;
    o.packets = (flits + m_packet - 1) / m_packet;
    o.last_flits = flits - (o.packets - 1) * m_packet;
    o.began = now();
    o.at.resize(g.places.size());
    if (o.sums() && m.when_full == full_table::block) g.unreserved.push_back(slot);
    o.places_left = call.what == network_call::kind::sum_to_one ? 1 : static_cast<std::uint32_t>(o.at.size());
    return slot;
}

bool network_collectives::take_part(const network_call& call) {
    const std::uint32_t slot = find_or_begin(call);
    operation& o = m_operations[slot];
    ++o.called;
    reception& at = o.at[m_groups[call.group].place_of[call.member]];
    const bool waits = call.receives() && !at.whole;
    if (waits) at.tags.push_back(call.tag);
    if (call.sends()) begin_sending(slot, call);
    end_if_over(slot);
    return !waits;
}

void network_collectives::begin_sending(std::uint32_t slot, const network_call& call) {
    operation& o = m_operations[slot];
    const group& g = m_groups[call.group];
    if (!o.sums()) give_to_others_at(slot, g.place_of[call.member]);
    if (!o.sums() && g.places.size() == 1) return;
    if (call.what == network_call::kind::multicast) return send_multicast(slot, call);
    o.streams.push_back({call.member});
    send_on(slot, static_cast<std::uint32_t>(o.streams.size() - 1));
    send_waiting(m_groups[call.group]);
}

/// Gives what a member sends to the other members at its node, a cycle later.
void network_collectives::give_to_others_at(std::uint32_t slot, std::uint32_t place) {
    operation& o = m_operations[slot];
    if (m_groups[o.as.group].places[place].members == 1) {
        o.at[place].whole = true;
        --o.places_left;
        return;
    }
    const std::uint32_t packet = m_packets.take();
    m_packets[packet] = {slot, place, {o.packets, digest_of(o.as.root) * o.packets}};
    m_events.push({now() + 1, ++m_serial, none, packet});
}

void network_collectives::send_multicast(std::uint32_t slot, const network_call& call) {
    const operation& o = m_operations[slot];
    const group& g = m_groups[call.group];
    const std::uint32_t node = g.nodes[call.member];
    std::vector<std::uint32_t> others;
    for (const combining_tree::place& p : g.places)
        if (p.node != node) others.push_back(p.node);
    std::sort(others.begin(), others.end());
    if (others != m_table->targets(node))
        throw config::error(
            fmt::format("'collectives.bcast' is multicast, and the packets of node {} go to the {} nodes of "
                        "its set in 'routing'; the {} other nodes of this collective are not those",
                        node, m_table->targets(node).size(), others.size()));
    m_counts.contributions += o.packets;
    m_counts.links += o.packets * m_table->links(node);
    m_counts.unicast_links += o.packets * m_table->unicast_links(node);
    message what;
    what.source = what.destination = node;
    what.flits = (o.packets - 1) * m_packet + o.last_flits;
    what.generated = now();
    what.tag = m_packets.take();
    m_packets[static_cast<std::uint32_t>(what.tag)] = {slot, 0, {1, digest_of(call.member)}};
    m_generated += {1, what.flits};
    m_port->send(what);
}

/// True if an entry is reserved for the next packet of a stream, or can be. If not, it is stalled.
bool network_collectives::may_send(std::uint32_t slot, std::uint32_t which) {
    operation& o = m_operations[slot];
    stream& s = o.streams[which];
    group& g = m_groups[o.as.group];
    if (!o.sums() || m.when_full == full_table::forward) return true;
    const bool reserves = s.next == o.reserved;
    if (reserves && (g.unreserved.front() != slot || g.in_tables == m.share())) {
        if (!std::exchange(s.stalled, true)) ++o.stalled, s.since = now();
        return false;
    }
    if (reserves) ++g.in_tables;
    if (reserves && ++o.reserved == o.packets) g.unreserved.pop_front();
    if (std::exchange(s.stalled, false))
        --o.stalled, ++m_counts.stalled, m_counts.stalled_cycles += now() - s.since;
    return true;
}

/// Sends the next packets of a stream.
void network_collectives::send_on(std::uint32_t slot, std::uint32_t which) {
    const operation& o = m_operations[slot];
    stream& s = m_operations[slot].streams[which];
    const group& g = m_groups[o.as.group];
    const std::uint32_t node = g.nodes[s.member], router = m_map.router_of(node_id(node)).value;
    while (s.next < o.packets && s.under_way < most_under_way && may_send(slot, which)) {
        ++m_counts.contributions;
        ++s.under_way;
        send_packet(node,
                    m_combined->combiner(router, g.tree.at(router).number_of_place(g.place_of[s.member])),
                    {slot, s.next++, {1, digest_of(s.member)}, none, which});
    }
}

/// Sends packets that were stalled, as far as there are entries now.
void network_collectives::send_waiting(group& g) {
    while (!g.unreserved.empty() && g.in_tables < m.share()) {
        const std::uint32_t slot = g.unreserved.front();
        const operation& o = m_operations[slot];
        if (o.stalled == 0) return;
        for (std::uint32_t k = 0; k < o.streams.size(); ++k)
            if (o.streams[k].stalled) send_on(slot, k);
    }
}

void network_collectives::send_packet(std::uint32_t from, std::uint32_t to, const packet_state& x) {
    const operation& o = m_operations[x.operation];
    message what;
    what.source = from;
    what.destination = to;
    what.flits = x.number + 1 == o.packets ? o.last_flits : m_packet;
    what.generated = now();
    what.tag = m_packets.take();
    m_packets[static_cast<std::uint32_t>(what.tag)] = x;
    m_generated += {1, what.flits};
    m_port->send(what);
    if (from >= m_nodes) m_counts.most_queued = std::max<std::uint64_t>(m_counts.most_queued, queued(from));
}

/// Sends a packet from the combiner of a router to that of a neighbour.
void network_collectives::send_between(std::uint32_t router, std::uint32_t next, packet_state x) {
    x.from = router;
    ++m_counts.links;
    const combining_tree& tree = m_groups[m_operations[x.operation].as.group].tree;
    send_packet(m_combined->combiner(router, tree.at(router).number_of_router(next)),
                m_combined->combiner(next, tree.at(next).number_of_router(router)), x);
}

/// Sends a packet from the combiner of a router to a node of it.
void network_collectives::send_to_node(std::uint32_t router, std::uint32_t place, const packet_state& x) {
    const group& g = m_groups[m_operations[x.operation].as.group];
    send_packet(m_combined->combiner(router, g.tree.at(router).number_of_place(place)), g.places[place].node,
                x);
}

cycle_t network_collectives::next_tick() const {
    return m_events.empty() ? m_inner.next_tick() : std::min(m_inner.next_tick(), m_events.top().when);
}

void network_collectives::tick(cycle_t now) {
    while (!m_events.empty() && m_events.top().when <= now) {
        const event e = m_events.top();
        m_events.pop();
        const packet_state x = m_packets[e.packet];
        m_packets.give_back(e.packet);
        if (e.router == none)
            receive(x.operation, x.number, x.sum, now);
        else
            work(e.router, x);
    }
    if (m_inner.next_tick() <= now) m_inner.tick(now);
}

void network_collectives::delivered(const delivery& d) {
    const auto packet = static_cast<std::uint32_t>(d.what.tag);
    if (d.what.destination >= m_nodes) return arrive(d, packet);
    const bool forked = is_forked(d.what);
    if (d.what.source < m_nodes && !forked) {
        if (m_inner.wants_deliveries()) m_inner.delivered(d);
        return;
    }
    const packet_state x = m_packets[packet];
    m_packets.give_back(packet);
    if (forked) return;
    ++m_counts.results;
    const group& g = m_groups[m_operations[x.operation].as.group];
    receive(x.operation, g.place_at.at(d.what.destination), x.sum, d.injected);
}

void network_collectives::packet_delivered(const message& what, std::uint32_t node, cycle_t injected,
                                           cycle_t now) {
    if (what.source >= m_nodes || node >= m_nodes) return;
    if (!is_forked(what)) {
        if (m_inner.wants_packets()) m_inner.packet_delivered(what, node, injected, now);
        return;
    }
    ++m_counts.results;
    const packet_state& x = m_packets[static_cast<std::uint32_t>(what.tag)];
    receive(x.operation, m_groups[m_operations[x.operation].as.group].place_at.at(node), x.sum, injected);
}

/// Takes a packet that has come to a combiner.
void network_collectives::arrive(const delivery& d, std::uint32_t packet) {
    const std::uint32_t port = d.what.destination - m_nodes;
    packet_state& x = m_packets[packet];
    const std::uint32_t slot = x.operation, from = std::exchange(x.stream, none);
    m_events.push(
        {m_tables.take(port, d.what.flits, d.consumed), ++m_serial, m_tables.router_of(port), packet});
    if (from == none) return;
    --m_operations[slot].streams[from].under_way;
    send_on(slot, from);
    send_waiting(m_groups[m_operations[slot].as.group]);
}

/// Does what a combiner does with a packet.
void network_collectives::work(std::uint32_t router, packet_state x) {
    const operation& o = m_operations[x.operation];
    const combining_tree& tree = m_groups[o.as.group].tree;
    if (!o.sums()) {
        spread(router, x);
    } else if (x.down) {
        pass_down(router, x);
    } else {
        const std::uint64_t key = std::uint64_t{x.operation} << 32 | x.number;
        if (m_tables.add(router, key, tree.at(router).below, x.sum)) pass_up(router, x);
    }
}

/// Passes a packet on towards the root, where it turns.
void network_collectives::pass_up(std::uint32_t router, packet_state x) {
    const std::uint32_t parent = m_groups[m_operations[x.operation].as.group].tree.at(router).parent;
    if (parent != none) return send_between(router, parent, x);
    x.down = true;
    x.from = none;
    pass_down(router, x);
    group& g = m_groups[m_operations[x.operation].as.group];
    if (m.when_full == full_table::forward) return;
    --g.in_tables;
    send_waiting(g);
}

/// Passes a packet on from the root to all nodes, or to the one that gets the sum.
void network_collectives::pass_down(std::uint32_t router, const packet_state& x) {
    const operation& o = m_operations[x.operation];
    if (o.as.what == network_call::kind::sum_to_all) return spread(router, x);
    const group& g = m_groups[o.as.group];
    const std::uint32_t last = m_map.router_of(node_id(g.nodes[o.as.root])).value;
    if (router == last) return send_to_node(router, g.place_of[o.as.root], x);
    send_between(router, g.tree.child_towards(router, last), x);
}

/// Copies a packet to all neighbours in the tree but the one that it comes from, and to all nodes here but
/// the one that has the data.
void network_collectives::spread(std::uint32_t router, const packet_state& x) {
    const operation& o = m_operations[x.operation];
    const group& g = m_groups[o.as.group];
    const combining_tree::hop& here = g.tree.at(router);
    if (!o.sums() && here.parent != none && here.parent != x.from) send_between(router, here.parent, x);
    for (const std::uint32_t child : here.children)
        if (child != x.from) send_between(router, child, x);
    for (const std::uint32_t place : here.places)
        if (o.sums() || place != g.place_of[o.as.root]) send_to_node(router, place, x);
}

/// Adds what has come to a node, and tells the members that wait for it when it is all.
void network_collectives::receive(std::uint32_t slot, std::uint32_t place, const partial_sum& sum,
                                  cycle_t injected) {
    operation& o = m_operations[slot];
    reception& at = o.at[place];
    at.weight += sum.weight;
    at.digest += sum.digest;
    const partial_sum whole = o.sums() ? m_groups[o.as.group].whole : partial_sum{1, digest_of(o.as.root)};
    if (at.weight < std::uint64_t{whole.weight} * o.packets) return;
    if (at.weight != std::uint64_t{whole.weight} * o.packets || at.digest != whole.digest * o.packets)
        throw std::logic_error("a collective in the network has a wrong sum");
    at.whole = true;
    --o.places_left;
    delivery done;
    done.what.source = m_groups[o.as.group].nodes[o.sums() ? 0 : o.as.root];
    done.what.destination = m_groups[o.as.group].places[place].node;
    done.what.flits = (o.packets - 1) * m_packet + o.last_flits;
    done.what.generated = o.began;
    done.injected = injected;
    done.consumed = now();
    const std::vector<std::uint64_t> tags = std::move(at.tags);
    end_if_over(slot);
    for (const std::uint64_t tag : tags) {
        done.what.tag = tag;
        m_inner.delivered(done);
    }
}

void network_collectives::end_if_over(std::uint32_t slot) {
    const operation& o = m_operations[slot];
    const group& g = m_groups[o.as.group];
    if (o.places_left != 0 || o.called != g.nodes.size()) return;
    if (o.as.what != network_call::kind::multicast) count_unicast(o, g);
    m_by_number.erase({o.as.group, o.as.number});
    m_operations.give_back(slot);
}

/// Counts the links that messages of their own would cross: to the root and back, or from node to node.
void network_collectives::count_unicast(const operation& o, const group& g) {
    using kind = network_call::kind;
    const auto router = [&](std::uint32_t node) { return m_map.router_of(node_id(node)).value; };
    const std::uint32_t end = o.as.what == kind::sum_to_all ? g.tree.root() : router(g.nodes[o.as.root]);
    std::uint64_t links = 0;
    for (const combining_tree::place& p : g.places) {
        const std::uint64_t away = g.tree.distance(router(p.node), end);
        if (o.sums()) links += away * p.members;
        if (o.as.what != kind::sum_to_one) links += away;
    }
    m_counts.unicast_links += links * o.packets;
}

void network_collectives::judged(const judged_sources& all) {
    judged_sources of_nodes = all;
    for (judged_sources::list* some : {&of_nodes.growing, &of_nodes.doubtful})
        some->erase(std::remove_if(some->begin(), some->end(), [&](auto& s) { return s.first >= m_nodes; }),
                    some->end());
    m_inner.judged(of_nodes);
}

generated_counts network_collectives::generated(cycle_t now) {
    generated_counts all = m_inner.generated(now);
    return all += m_generated;
}

std::uint32_t network_collectives::nodes_needed() const {
    const std::uint32_t needed = m_inner.nodes_needed();
    return needed <= m_nodes ? needed : needed + m_map.nodes() - m_nodes;
}

config::value network_collectives::results() const {
    config::value all = m_inner.results();
    if (m_groups.empty()) return all;
    const combiners::counts& tables = m_tables.counted();
    const auto part = [](std::uint64_t some, std::uint64_t whole) {
        return config::number(whole == 0 ? 0 : 1 - static_cast<double>(some) / static_cast<double>(whole));
    };
    all.set(
        "in_network",
        config::value::map(
            {{"groups", config::number(m_groups.size())},
             {"packets_sent", config::number(m_counts.contributions)},
             {"packets_received", config::number(m_counts.results)},
             {"packets_combined", config::number(tables.combined)},
             {"packets_uncombined", config::number(tables.uncombined)},
             {"most_entries", config::number(tables.most_entries)},
             {"most_queued", config::number(m_counts.most_queued)},
             {"packets_stalled", config::number(m_counts.stalled)},
             {"stalled_cycles", config::number(m_counts.stalled_cycles)},
             {"links", config::value::map({{"crossed", config::number(m_counts.links)},
                                           {"by_unicast", config::number(m_counts.unicast_links)},
                                           {"saved_part", part(m_counts.links, m_counts.unicast_links)}})}}));
    return all;
}

void network_collectives::serialize(archive& a) {
    std::vector<std::vector<std::uint32_t>> groups;
    for (const group& g : m_groups) groups.push_back(g.nodes);
    a(groups, m_tables, m_by_number, m_operations, m_packets, m_events, m_serial, m_generated, m_counts);
    if (a.reads()) {
        m_groups.clear();
        m_groups_at.clear();
        for (const auto& nodes : groups) open(nodes);
    }
    for (group& g : m_groups) a(g.in_tables, g.unreserved);
    m_inner.serialize(a);
}

}  // namespace sare
