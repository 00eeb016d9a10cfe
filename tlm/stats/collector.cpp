// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/collector.h"

#include "tlm/api/own_traffic.h"
#include "tlm/api/packet_changes.h"
#include "tlm/base/bits.h"
#include "tlm/base/world.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"
#include "tlm/topology/topology.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace sare {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Calls `f(router, port, vc)` for every output VC that is wired.
template <class F>
void for_each_output(const counted_network& net, F&& f) {
    if (net.vcs() == 0) return;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(r); ++p)
            for (std::uint32_t v = 0; v < net.vcs(); ++v) f(r, p, v);
}

}  // namespace

struct collector::pair_table {
    std::unordered_map<std::uint64_t, pair_counts> all;
};

collector::collector(const counted_network& net, bool matrix, sent_flits sent)
    : m_net(net),
      m_terminals(net.map() == nullptr ? net.nodes() : net.map()->terminals()),
      m_sent(std::move(sent)),
      m_matrix(matrix),
      m_backlogs(net.nodes(), net.classes()),
      m_classes(net),
      m_hops(net),
      m_pairs(std::make_shared<pair_table>()) {
    if (!m_sent)
        m_sent = [&net](std::uint32_t r, std::uint32_t p, std::uint32_t v) {
            return net.flits_sent(r, p, v);
        };
}

void collector::packet_injected(std::uint32_t node, const packet& p, cycle_t) {
    if (m_classes.any()) m_backlogs.injected(node, m_net.class_of(p.route), p.flits);
    if (!m_measuring) return;
    m_hops.injected(p);
    if (m_matrix) {
        pair_counts& pair = counts_of_pair(p);
        ++pair.injected;
        pair.injected_flits += p.flits;
    }
    if (m_classes.any()) m_classes.injected(p);
}

collector::pair_counts& collector::counts_of_pair(const packet& p) {
    return own_pairs().all[std::uint64_t{p.route.source} << 32 | p.route.destination];
}

collector::pair_table& collector::own_pairs() {
    if (m_pairs.use_count() > 1) m_pairs = std::make_shared<pair_table>(*m_pairs);
    return *m_pairs;
}

void collector::add_pairs(const collector& other) {
    for (const auto& [pair, traffic] : other.m_pairs->all) {
        pair_counts& here = own_pairs().all[pair];
        here.injected += traffic.injected;
        here.injected_flits += traffic.injected_flits;
        here.consumed += traffic.consumed;
        here.consumed_flits += traffic.consumed_flits;
    }
}

void collector::serialize_pairs(archive& a) {
    a(own_pairs().all);
}

/// True if its latencies are wanted as well.
SARE_INLINE bool collector::count_consumed(const packet& p, cycle_t now) {
    ++m_arrivals.packets;
    m_arrivals.latency += now - p.generated;
    if (__builtin_expect(m_of_packets != nullptr, 0)) m_of_packets->packet_consumed(p, now);
    if (!m_measuring) return false;
    m_hops.consumed(p);
    if (m_matrix) {
        pair_counts& pair = counts_of_pair(p);
        ++pair.consumed;
        pair.consumed_flits += p.flits;
    }
    if (m_classes.any()) m_classes.consumed(p, now);
    return true;
}

void collector::packet_consumed(std::uint32_t, const packet& p, cycle_t now) {
    if (count_consumed(p, now)) m_packet_latency.record(p.generated, p.injected, now);
}

SARE_INLINE void collector::count_message(const message_record& m, cycle_t now) {
    ++m_messages_consumed;
    if (__builtin_expect(m_of_messages != nullptr, 0)) m_of_messages->message_consumed(m, now);
}

void collector::message_consumed(const message_record& m, cycle_t now) {
    count_message(m, now);
    if (m_measuring) m_message_latency.record(m.what.generated, m.injected, now);
}

void collector::single_packet_message_consumed(std::uint32_t, const packet& p, const message_record& m,
                                               cycle_t now) {
    count_message(m, now);
    if (count_consumed(p, now)) m_lone_latency.record(p.generated, p.injected, now);
}

collector::totals collector::read(cycle_t now, workload& w) const {
    return {generated(now, w).flits, m_net.flits_injected(), useful(w).flits};
}

/// Returns the sum over all processes.
generated_counts collector::sum_of_all(generated_counts here) const {
    world* const all = m_net.processes();
    return all == nullptr ? here : generated_counts{all->sum(here.messages), all->sum(here.flits)};
}

generated_counts collector::generated(cycle_t now, workload& w) const {
    return sum_of_all(w.generated(now == 0 ? 0 : now - 1));
}

/// Returns the packets (as `messages`) and flits of the workload that nodes have accepted.
generated_counts collector::useful(const workload& w) const {
    const auto* const own = dynamic_cast<const own_traffic*>(&w);
    if (own == nullptr) return {m_net.packets_consumed(), m_net.flits_consumed()};
    generated_counts here;
    for (std::uint32_t n = 0; n < m_net.nodes(); ++n) here += own->useful(n);
    return sum_of_all(here);
}

/// Returns the packets of the workload. A message that still waits has not been cut into packets: it counts
/// as one.
std::uint64_t collector::packets_generated(const sums& all, const workload& w) const {
    if (dynamic_cast<const own_traffic*>(&w) == nullptr)
        return all.packets_injected + (all.generated.messages - all.messages_started);
    generated_counts here;
    for (std::uint32_t n = 0; n < m_net.nodes(); ++n) here.messages += read_node(n, w).generated_packets;
    return sum_of_all(here).messages;
}

collector::interval collector::end_interval(cycle_t now, workload& w) {
    const totals t = read(now, w);
    if (world* const all = m_net.processes()) {
        m_arrivals.packets = all->sum(m_arrivals.packets);
        m_arrivals.latency = all->sum(m_arrivals.latency);
    }
    interval i;
    i.from = m_interval.at;
    i.to = now;
    i.packets = m_arrivals.packets;
    i.latency_mean = m_arrivals.packets == 0
                         ? none
                         : static_cast<double>(m_arrivals.latency) / static_cast<double>(m_arrivals.packets);
    const double node_cycles = static_cast<double>(now - m_interval.at) * m_terminals;
    auto load = [&](std::uint64_t to, std::uint64_t from) {
        return node_cycles > 0 ? static_cast<double>(to - from) / node_cycles : 0;
    };
    i.offered = load(t.generated, m_interval.counted.generated);
    i.injected = load(t.injected, m_interval.counted.injected);
    i.accepted = load(t.consumed, m_interval.counted.consumed);
    m_interval = {now, t};
    m_arrivals = {};
    return i;
}

void collector::ask(statistic_set& asked) {
    m_asked = &asked;
    m_of_packets = asked.wants_packets() ? &asked : nullptr;
    m_of_messages = asked.wants_messages() ? &asked : nullptr;
}

void collector::start_measuring(cycle_t now, workload& w) {
    w.measured_from(now);
    start_window(now, w);
}

void collector::start_window(cycle_t now, workload& w) {
    m_measuring = true;
    m_window = {now, read(now, w)};
    m_at_start = {links_now(), nodes_now(w)};
    m_backlogs.start_window();
    m_classes.start(w);
    if (m_asked != nullptr) m_asked->start(now);
}

std::vector<std::uint32_t> collector::links_now() const {
    std::vector<std::uint32_t> all;
    all.reserve(outputs() * m_net.vcs());
    for_each_output(
        m_net, [&](std::uint32_t r, std::uint32_t p, std::uint32_t v) { all.push_back(m_sent(r, p, v)); });
    return all;
}

std::vector<collector::node_totals> collector::nodes_now(const workload& w) const {
    std::vector<node_totals> all;
    all.reserve(m_net.nodes());
    for (std::uint32_t n = 0; n < m_net.nodes(); ++n) all.push_back(read_node(n, w));
    return all;
}

/// Behind read(), which counts the backlogs. What is generated is injected, waits in the NIC or in the
/// workload, was lost before it was injected, or was refused; a message of which nothing is injected counts
/// as one packet.
collector::node_totals collector::read_node(std::uint32_t node, const workload& w) const {
    node_totals all;
    all.moved = m_net.counts_of(node);
    all.refused = refused_by(w, node);
    generated_counts made = all.refused;
    if (const auto* const own = dynamic_cast<const own_traffic*>(&w)) {
        made += own->made(node);
        const generated_counts useful = own->useful(node);
        all.moved.consumed_packets = useful.messages;
        all.moved.consumed_flits = useful.flits;
    } else {
        made += {all.moved.injected_packets, all.moved.injected_flits};
        for (const generated_counts& some : {all.moved.waiting, all.moved.unsent, backlog_at(w, node)})
            made += some;
    }
    all.generated_packets = made.messages;
    all.generated_flits = made.flits;
    return all;
}

void collector::sample_queues(cycle_t now) {
    if (m_net.vcs() != 0) m_net.count_buffers(m_occupancy);
    if (m_asked != nullptr && m_measuring) m_asked->sample(now);
}

cycle_t collector::next_look() const {
    return m_asked == nullptr ? workload::never : m_asked->next_look();
}

void collector::look(cycle_t now) {
    if (m_asked != nullptr) m_asked->look(now);
}

std::uint32_t collector::moves() const {
    std::uint32_t sum = m_net.flits_sent();
    if (world* const all = m_net.processes()) sum = static_cast<std::uint32_t>(all->sum(std::uint64_t{sum}));
    return sum + static_cast<std::uint32_t>(m_net.flits_injected() + m_net.flits_consumed());
}

source_backlogs::trend collector::report(cycle_t now, workload& w, run_result& out) {
    w.measured_to(now);
    if (m_asked != nullptr) m_asked->stop(now);
    const sums all = read_all(now, w);
    const packet_changes& changes = m_net.changes();
    world* const processes = m_net.processes();
    if (processes == nullptr) return fill(now, all, changes, w, out);
    if (m_asked != nullptr) m_asked->add_up(*processes);
    collector whole(*this);
    whole.note_end(w);
    whole.add_other_processes(*processes);
    if (processes->rank() != 0) return {};
    return whole.fill(now, all, changes, w, out);
}

void collector::report_so_far(cycle_t now, workload& w, run_result& out) const {
    collector(*this).fill(now, read_all(now, w), m_net.changes(), w, out);
}

collector::sums collector::read_all(cycle_t now, workload& w) const {
    sums all;
    all.generated = generated(now, w);
    all.flits_injected = m_net.flits_injected();
    all.useful = useful(w);
    all.packets_injected = m_net.packets_injected();
    all.messages_started = m_net.messages_started();
    all.packets_generated = packets_generated(all, w);
    all.flit_hops = m_net.flit_hops();
    return all;
}

source_backlogs::trend collector::fill(cycle_t now, const sums& all, const packet_changes& changes,
                                       const workload& w, run_result& out) {
    const totals t = all.flits();
    const auto cycles = static_cast<double>(now - m_window.at);
    const double node_cycles = cycles * m_terminals;
    out.measured_from = m_window.at;
    out.measured_to = now;
    if (node_cycles > 0) {
        out.offered = static_cast<double>(t.generated - m_window.counted.generated) / node_cycles;
        out.injected = static_cast<double>(t.injected - m_window.counted.injected) / node_cycles;
        out.accepted = static_cast<double>(t.consumed - m_window.counted.consumed) / node_cycles;
    }
    out.flits = {all.generated.flits, all.flits_injected, all.useful.flits, 0, 0, 0};
    out.packets = {all.packets_generated, all.packets_injected, all.useful.messages, 0, 0, 0};
    out.messages = {
        all.generated.messages, all.messages_started, m_messages_consumed, changes.lost_messages, 0, 0};
    report_changes(changes, out);
    histograms of_packets = m_packet_latency, of_messages = m_message_latency;
    of_packets.add(m_lone_latency);
    of_messages.add(m_lone_latency);
    out.packet_latency = {of_packets.generation.summary(), of_packets.injection.summary()};
    out.message_latency = {of_messages.generation.summary(), of_messages.injection.summary()};
    out.latency_histogram = latency_histogram::bins(of_packets.generation, of_packets.injection);
    m_hops.report(out);
    out.flit_hops = all.flit_hops;
    for (std::uint32_t f = 0; f < m_occupancy.size(); ++f)
        out.queue_occupancy.emplace_back(f, m_occupancy[f]);
    for (const auto& [pair, traffic] : m_pairs->all)
        out.matrix.push_back({static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair),
                              traffic.injected, traffic.injected_flits, 0, traffic.consumed,
                              traffic.consumed_flits});
    std::sort(out.matrix.begin(), out.matrix.end(), [](const auto& a, const auto& b) {
        return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
    });
    if (m_net.vcs() != 0) report_links(out);
    report_nodes(cycles, w, out);
    report_classes(cycles, w, out);
    const generated_counts& g = all.generated;
    return m_backlogs.find_trend(
        g.messages == 0 ? 1 : static_cast<double>(g.flits) / static_cast<double>(g.messages));
}

/// Of several processes they are stopped, and added up.
void collector::report_classes(double cycles, const workload& w, run_result& out) const {
    if (!m_classes.any()) return;
    class_counts all = m_classes;
    if (m_net.processes() == nullptr) all.stop(w);
    all.report(cycles, out);
}

void collector::report_changes(const packet_changes& c, run_result& out) {
    out.packets.copied = c.copied.packets;
    out.packets.dropped = c.dropped.packets;
    out.flits.copied = c.copied.flits;
    out.flits.dropped = c.dropped.flits;
    for (const auto& [cause, count] : c.dropped_by_cause)
        out.drops.push_back({cause, count.packets, count.flits});
    out.detoured = c.detoured.packets;
    out.lost_messages.assign(c.lost_by_cause.begin(), c.lost_by_cause.end());
}

/// Ports of all routers.
std::size_t collector::outputs() const {
    std::size_t all = 0;
    for (std::uint32_t r = 0; m_net.vcs() != 0 && r < m_net.routers(); ++r) all += m_net.ports(r);
    return all;
}

/// A large network's results are mostly this: what was counted takes the room of what had been at the start.
void collector::report_links(run_result& out) {
    const topology& map = *m_net.map();
    const std::size_t ports = outputs();
    std::vector<std::uint32_t> flits = std::move(m_at_start.links);
    flits.resize(ports * m_net.vcs());  // from none
    out.link_loads.reserve(ports + m_net.nodes());
    std::size_t from = 0, to = 0;
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        for (std::uint32_t p = 0; p < m_net.ports(r); ++p) {
            const port_peer peer = map.peer(router_id(r), port_id(p));
            if (peer.what == port_peer::kind::none) {
                from += m_net.vcs();
                continue;
            }
            out.link_loads.add_output(r, p, peer);
            for (std::uint32_t v = 0; v < m_net.vcs(); ++v, ++from)
                flits[to++] = (m_at_end.links.empty() ? m_sent(r, p, v) : m_at_end.links[from]) - flits[from];
        }
    flits.resize(to);
    out.link_loads.count_outputs(std::move(flits), m_net.vcs());
}

void collector::report_nodes(double cycles, const workload& w, run_result& out) const {
    const topology& map = *m_net.map();
    double sum = 0, squares = 0;
    generated_counts refused, before;
    out.fairness_min = std::numeric_limits<double>::infinity();
    out.node_loads.reserve(m_net.nodes());
    for (std::uint32_t n = 0; n < m_net.nodes(); ++n) {
        const node_totals from = m_at_start.nodes.empty() ? node_totals{} : m_at_start.nodes[n];
        const node_totals to = m_at_end.nodes.empty() ? read_node(n, w) : m_at_end.nodes[n];
        const std::uint64_t injected = to.moved.injected_flits - from.moved.injected_flits;
        refused += to.refused;
        before += from.refused;
        node_result node;
        node.node = n;
        node.router = map.router_of(node_id(n)).value;
        node.generated = to.generated_packets - from.generated_packets;
        node.injected = to.moved.injected_packets - from.moved.injected_packets;
        node.consumed = to.moved.consumed_packets - from.moved.consumed_packets;
        node.generated_flits = to.generated_flits - from.generated_flits;
        node.accepted_flits = to.moved.consumed_flits - from.moved.consumed_flits;
        out.node_loads.push_back(node);
        if (m_net.vcs() != 0)
            out.link_loads.add_injection(n, node.router, map.port_of(node_id(n)).value, injected);
        if (n >= m_terminals) continue;
        const double accepted = cycles > 0 ? static_cast<double>(node.accepted_flits) / cycles : 0;
        sum += accepted;
        squares += accepted * accepted;
        out.fairness_min = std::min(out.fairness_min, accepted);
        out.fairness_max = std::max(out.fairness_max, accepted);
    }
    out.messages.refused = out.packets.refused = refused.messages;
    out.flits.refused = refused.flits;
    if (cycles > 0) out.refused = static_cast<double>(refused.flits - before.flits) / cycles / m_terminals;
    out.fairness_jain = squares == 0 ? none : sum * sum / (m_terminals * squares);
}

}  // namespace sare
