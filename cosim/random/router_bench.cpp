// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/router_bench.h"

#include "tlm/base/bits.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace sare::cosim {

router_bench::router_bench(const router_setting& setting, const routing_context& around, std::uint64_t seed)
    : m_setting(setting),
      m_around(around),
      m_random(seed, stream::test, 1),
      m_sources(setting.ports * setting.model.vcs),
      m_sinks(setting.ports * setting.model.vcs),
      m_here(setting.ports, setting.places()),
      m_in(setting.ports) {
    for (std::uint32_t q = 0; q < setting.ports; ++q) m_beyond.push_back(setting.places_beyond(q));
    std::map<std::uint32_t, std::vector<std::uint32_t>> behind;
    for (std::uint32_t n = 0; n < nodes(); ++n) {
        if (!around.comes(0, n)) continue;
        route_header h;
        h.destination = n;
        behind[around.here(h, {}).port].push_back(n);
    }
    for (auto& [port, nodes] : behind) m_nodes_behind.push_back(std::move(nodes));
}

void router_bench::only(const std::vector<packet_flow>& flows) {
    const std::uint32_t vcs = m_setting.model.vcs;
    m_flows.assign(m_sources.size(), {});
    for (const packet_flow& f : flows)
        for (std::uint32_t rest = f.vcs; rest != 0; rest &= rest - 1)
            m_flows[f.in * vcs + lowest(rest)].push_back(&f);
}

std::uint32_t router_bench::nodes() const {
    return m_setting.table ? m_setting.nodes : m_around.map().nodes();
}

/// Lets no credits come back until all is full; then lets all come back and nothing in.
void router_bench::fill_or_drain() {
    m_load = m_is_full ? 0 : 1;
    m_credit_rate = m_is_full ? 1 : 0;
    m_slow_inputs = m_slow_outputs = 0;
    m_is_full = !m_is_full;
    const std::uint32_t vcs = m_setting.model.vcs;
    std::uint32_t of_vc = m_setting.model.depth, of_port = of_vc * vcs;
    for (std::uint32_t q = 0; q < m_setting.ports; ++q) {
        of_vc = std::max(of_vc, m_setting.depth_beyond(q));
        of_port = std::max(of_port, m_setting.own_beyond(q) * vcs + m_setting.pool_beyond(q));
    }
    // A buffer that takes one packet at a time is filled by one that is as long.
    if (m_is_full && m_setting.atomic()) {
        m_longest = m_setting.cut_through() ? m_setting.model.depth : of_vc;
        m_longest = std::min(m_longest, m_setting.longest);
        m_equal_lengths = true;
    }
    m_cycles_left = 50 + std::min(2 * of_port, 3000u);
}

void router_bench::next_phase() {
    if (m_drains && (m_is_full || m_random.below(3) == 0)) return fill_or_drain();
    static const double loads[] = {0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0};
    static const double rates[] = {0.02, 0.1, 0.3, 0.6, 1.0, 1.0};
    const std::uint32_t depth = m_setting.model.depth;
    m_load = loads[m_random.below(9)];
    m_credit_rate = rates[m_random.below(6)];
    m_longest = 1 + m_random.below(m_setting.cut_through()  ? depth
                                   : m_random.below(2) == 0 ? 3
                                                            : 2 * depth + 2);
    m_longest = std::min(m_longest, m_setting.longest);
    m_equal_lengths = m_random.below(4) == 0;
    m_hot = m_random.below(4) == 0;
    m_hot_node = m_random.below(nodes());
    const bool stalls = m_random.below(4) == 0;
    m_slow_outputs = stalls ? m_random.next() : 0;
    m_slow_inputs = stalls ? m_random.next() : 0;
    m_cycles_left = 50 + m_random.below(400);
}

const std::vector<port_in>& router_bench::inputs(bool closing) {
    if (m_cycles_left-- == 0) next_phase();
    for (std::uint32_t q = 0; q < m_setting.ports; ++q) {
        m_in[q] = {};
        give_credits(q, closing);
        send_flit(q, closing);
    }
    return m_in;
}

void router_bench::give_credits(std::uint32_t q, bool closing) {
    const bool stalled = (m_slow_outputs >> q & 1) != 0;
    for (std::uint32_t v = 0; v < m_setting.model.vcs; ++v) {
        if (m_beyond[q].held(v) == 0 || (!closing && (stalled || !m_random.bernoulli(m_credit_rate))))
            continue;
        m_beyond[q].give_back(v);
        m_in[q].credits |= 1u << v;
    }
}

void router_bench::send_flit(std::uint32_t q, bool closing) {
    const bool slow = (m_slow_inputs >> q & 1) != 0;
    if (!closing && !m_random.bernoulli(slow ? 0.05 : m_load)) return;
    const std::uint32_t vcs = m_setting.model.vcs, first = m_random.below(vcs);
    for (std::uint32_t n = 0; n < vcs; ++n) {
        const std::uint32_t v = (first + n) % vcs;
        source_vc& s = m_sources[q * vcs + v];
        if (!m_setting.has_room(m_here[q], v, !s.open, m_longest) || (!s.open && closing)) continue;
        if (!m_flows.empty() && m_flows[q * vcs + v].empty()) continue;
        // With cut-through a sender begins only with room for all; a router must not rely on it but by
        // `room`.
        const bool head = !s.open;
        if (head) {
            s.packet = new_packet({q, v});
            s.sequence = 0;
            s.open = true;
        }
        const bool tail = s.sequence + 1u == m_packets[s.packet].flits;
        m_here[q].take(v);
        port_in& in = m_in[q];
        in.valid = true;
        in.what = flit::from_word(
            flit::make_word(s.packet, s.sequence++, v, (head ? flit::head : 0) | (tail ? flit::tail : 0)));
        s.open = !tail;
        ++m_counts.sent;
        return;
    }
}

std::uint32_t router_bench::destination() {
    if (m_hot && m_random.below(2) == 0) return m_hot_node;
    if (m_random.below(4) == 0) return m_random.below(nodes());
    const auto& nodes = m_nodes_behind[m_random.below(static_cast<std::uint32_t>(m_nodes_behind.size()))];
    return nodes[m_random.below(static_cast<std::uint32_t>(nodes.size()))];
}

std::uint32_t router_bench::new_packet(const input_channel& in) {
    const std::uint32_t id = m_packets.take();
    carried_packet& p = m_packets[id];
    p = {};
    p.uid = ++m_counts.uids;
    p.in = in;
    p.flits = m_equal_lengths ? m_longest : 1 + m_random.below(m_longest);
    draw_route(p);
    route_set ways;
    m_around.routes(p.route, in, ways);
    p.heads = p.tails = ways.size;
    return id;
}

void router_bench::draw_route(carried_packet& p) {
    if (!m_flows.empty()) {
        const auto& mine = m_flows[p.in.port * m_setting.model.vcs + p.in.vc];
        const auto any = [&] { return mine[m_random.below(static_cast<std::uint32_t>(mine.size()))]; };
        const packet_flow* f = any();
        for (int tries = 0; m_hot && tries < 4 && f->header.destination != m_hot_node; ++tries) f = any();
        p.route = f->header;
        return;
    }
    p.route.source = m_random.below(nodes());
    p.route.destination = destination();
    const std::uint32_t of_class = m_setting.model.vcs / m_setting.classes;
    p.route.vc_base =
        static_cast<std::uint8_t>(p.in.vc / of_class * of_class);  // it has come on its class's VCs
    // Any ways round the rings, not only the sensible ones: the router cannot know.
    if (!m_setting.table)
        p.route.state = static_cast<std::uint16_t>(m_random.next() & (m_setting.one_way ? 0xaaaa : 0xffff));
}

void router_bench::check(std::uint32_t q, const flit& f, const sink_vc& sink) const {
    const carried_packet& p = m_packets[f.packet];
    route_set ways;
    m_around.routes(p.route, p.in, ways);
    bool may = false;
    for (std::uint32_t k = 0; k < ways.size; ++k)
        may = may ||
              (ways.candidates[k].port == q && (ways.candidates[k].vcs << p.route.vc_base >> f.vc & 1) != 0);
    const bool in_order = f.is_head() ? !sink.open && f.sequence == 0
                                      : sink.open && f.packet == sink.packet && f.sequence == sink.sequence;
    if (may && in_order && f.is_tail() == (f.sequence + 1u == p.flits) && m_beyond[q].free(f.vc) != 0) return;
    throw std::runtime_error(fmt::format("port {} VC {}: flit {} of packet {}{}", q, f.vc, f.sequence, p.uid,
                                         in_order ? " must not be here" : " is out of order"));
}

void router_bench::outputs(const std::vector<port_out>& out) {
    const std::uint32_t vcs = m_setting.model.vcs;
    for (std::uint32_t q = 0; q < out.size(); ++q) {
        for (std::uint32_t rest = out[q].credits; rest != 0; rest &= rest - 1)
            if (!m_here[q].give_back(lowest(rest)))
                throw std::runtime_error(fmt::format("port {}: a credit for no flit", q));
        if (!out[q].valid) continue;
        const flit& f = out[q].what;
        sink_vc& sink = m_sinks[q * vcs + f.vc];
        check(q, f, sink);
        sink.open = !f.is_tail();
        sink.packet = f.packet;
        sink.sequence = static_cast<std::uint16_t>(f.sequence + 1);
        m_beyond[q].take(f.vc);
        ++m_counts.received;
        if (!f.is_tail() || --m_packets[f.packet].tails != 0) continue;
        m_packets.give_back(f.packet);
        ++m_counts.done;
    }
}

}  // namespace sare::cosim
