// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/deflection/bank.h"

#include "tlm/base/bits.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {

deflection_bank::deflection_bank(router_context& net, const deflection_params& params,
                                 std::vector<std::uint32_t> routers, std::uint32_t ports,
                                 const router_terms& terms, std::shared_ptr<reassembly> parts)
    : bufferless_bank(net, std::move(routers), ports, terms),
      m_params(params),
      m_classes(net.classes()),
      m_parts(std::move(parts)) {}

void deflection_bank::construct(plane_layout at) {
    bufferless_bank::construct(std::move(at));
    m_injections.resize(std::size_t{size()} * ports() * m_classes);
    m_next_class.resize(std::size_t{size()} * ports());
    m_next_node.resize(size());
    m_counts.resize(size());
    m_ejected.resize(ports());
    for (std::uint32_t k = 0; k < size(); ++k) {
        std::uint64_t outputs = 0, nodes = 0;
        for (std::uint32_t p = 0; p < ports(); ++p) {
            const port_peer to = net().map()->peer(router_id(router(k)), port_id(p));
            if (to.what == port_peer::kind::router) outputs |= std::uint64_t{1} << p;
            if (to.what == port_peer::kind::node) nodes |= std::uint64_t{1} << p;
        }
        m_outputs.push_back(outputs);
        m_nodes.push_back(nodes);
    }
}

void deflection_bank::clear(std::uint32_t k, cycle_t) {
    for (std::uint32_t p = 0; p < ports(); ++p) {
        m_next_class[index(k, p)] = 0;
        for (std::uint32_t c = 0; c < m_classes; ++c) current(k, p, c) = {};
    }
    m_next_node[k] = 0;
    m_parts->of.clear();
}

/// Each bank writes the counts of packets, which all banks share.
void deflection_bank::serialize(archive& a) {
    serialize_common(a);
    a.in_place(m_injections, m_next_class, m_next_node, m_counts);
    a(m_parts->of);
}

void deflection_bank::run(std::uint32_t k, std::uint64_t* inbox, cycle_t t) {
    m_here.clear();
    for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
        const auto p = static_cast<std::uint32_t>(lowest(rest));
        const flit f = flit::from_word(inbox[plain_inbox::flit_of(p, credit_sets)]);
        add(look_at(k, p, f.packet, f.sequence));
    }
    inbox[0] = 0;
    std::fill(m_ejected.begin(), m_ejected.end(), std::uint8_t{0});
    if (!m_here.empty()) eject(k, t);
    if (m_nodes[k] != 0 && inject(k, t)) wake(k, t + 1);
    if (!m_here.empty()) send_all(k, t);
}

/// Makes the `here` of a flit, and counts its hop.
deflection_bank::here deflection_bank::look_at(std::uint32_t k, std::uint32_t in, std::uint32_t id,
                                               std::uint32_t number) {
    packet& p = net().packets()[id];
    m_parts->add_hop(id);
    here f{p.injected, p.route.source, number, id, p.route.vc_base, 0, not_here, 0};
    if (number == 0) f.kind |= flit::head;
    if (number + 1 == p.flits) f.kind |= flit::tail;
    route_set ways;
    net().find_candidates(router(k), in, f.vc, p.route, ways);
    for (std::uint32_t n = 0; n < ways.size; ++n) f.productive |= std::uint64_t{1} << ways.candidates[n].port;
    if ((f.productive & m_nodes[k]) != 0) {
        f.exit = ways.candidates[0].port;
        f.productive = 0;
    }
    return f;
}

/// Puts a flit into m_here, in its place by age.
void deflection_bank::add(const here& f) {
    std::size_t n = m_here.size();
    m_here.push_back(f);
    for (; n != 0 && f.older_than(m_here[n - 1]); --n) m_here[n] = m_here[n - 1];
    m_here[n] = f;
}

/// Ejects the oldest flits for each node, as many as the node takes.
void deflection_bank::eject(std::uint32_t k, cycle_t t) {
    std::size_t stay = 0;
    for (const here& f : m_here) {
        if (f.exit != not_here && m_ejected[f.exit] < m_params.ejection)
            arrive(k, f, t);
        else
            m_here[stay++] = f;
    }
    m_here.resize(stay);
}

/// Delivers a flit to its node. The hops of a packet are the mean of the hops of its flits.
void deflection_bank::arrive(std::uint32_t k, const here& f, cycle_t t) {
    const std::uint32_t node = port(k, f.exit).receiver;
    reassembly::entry& part = m_parts->of[f.packet];
    packet& p = net().packets()[f.packet];
    ++m_ejected[f.exit];
    count_sent(k, f.exit, f.vc, 1);
    net().injection().flit_consumed(node);
    if (++part.arrived != p.flits) return;
    p.hops = static_cast<std::uint16_t>((part.hops + p.flits / 2) / p.flits);
    part = {};
    net().injection().packet_arrives(node_id(node), packet_id(f.packet), t);
}

/// Lets nodes inject in turn, a flit each, while outputs are free. True if a node has more flits of a packet
/// that it is sending; the source queues do not show them.
bool deflection_bank::inject(std::uint32_t k, cycle_t t) {
    const auto first = static_cast<std::uint32_t>(lowest(m_nodes[k]));
    const auto count =
        static_cast<std::uint32_t>(__builtin_popcountll(m_nodes[k]));  // these ports are the last ones
    bool left = false;
    for (std::uint32_t n = 0; n < count; ++n) inject_of(k, first + (m_next_node[k] + n) % count, t, left);
    if (count > 1) m_next_node[k] = static_cast<std::uint8_t>((m_next_node[k] + 1U) % count);
    return left;
}

/// Injects a flit of the class whose turn it is, or of the next one that can send. Sets `left` if flits of a
/// packet are left to send.
bool deflection_bank::inject_of(std::uint32_t k, std::uint32_t p, cycle_t t, bool& left) {
    const std::uint32_t node = port(k, p).sender;
    const bool queued = net().injection().queued(node) != 0;
    bool wants = false, sent = false;
    std::uint8_t& turn = m_next_class[index(k, p)];
    const std::uint32_t begin = turn;
    for (std::uint32_t n = 0; n < m_classes; ++n) {
        const std::uint32_t c = (begin + n) % m_classes;
        injection& from = current(k, p, c);
        if (from.packet == injection::none && queued && net().injection().next_packet(node, c) != nullptr) {
            from = {net().injection().take_packet(node_id(node), c).value, 0};
            if (from.packet >= m_parts->of.size()) keep_packets(net().packets().slots());
        }
        if (from.packet == injection::none) continue;
        wants = true;
        if (!sent && send_one(k, p, from, t)) {
            sent = true;
            turn = static_cast<std::uint8_t>((c + 1) % m_classes);
        }
        left = left || from.packet != injection::none;
    }
    m_counts[k].blocked += wants && !sent;
    return sent;
}

/// Injects the next flit of a packet, if the node here or an output can take it. False otherwise.
bool deflection_bank::send_one(std::uint32_t k, std::uint32_t p, injection& from, cycle_t t) {
    const std::uint32_t node = port(k, p).sender;
    const auto free = static_cast<std::size_t>(__builtin_popcountll(m_outputs[k]));
    packet& its = net().packets()[from.packet];
    const bool begins = from.next == 0;
    if (begins) its.injected = t;
    const here f = look_at(k, p, from.packet, from.next);
    const bool stays = f.exit != not_here;
    if (stays ? m_ejected[f.exit] >= m_params.ejection : m_here.size() >= free) {
        m_parts->take_back_hop(from.packet);
        return false;
    }
    if (begins) net().injection().packet_leaves(node_id(node), packet_id(from.packet), t);
    net().injection().flit_injected(node);
    from.next = from.next + 1 == its.flits ? 0 : from.next + 1;
    if (from.next == 0) from.packet = injection::none;
    if (stays)
        arrive(k, f, t);
    else
        add(f);
    return true;
}

/// Sends all flits that are here: the oldest first, each by a port that leads nearer if one is left. There
/// are as many ports to routers as flits can be here, so none stays.
void deflection_bank::send_all(std::uint32_t k, cycle_t t) {
    std::uint64_t free = m_outputs[k];
    counts& c = m_counts[k];
    for (const here& f : m_here) {
        const std::uint64_t wanted = f.productive & free;
        const std::uint32_t out = choose(k, wanted != 0 ? wanted : free);
        free &= ~(std::uint64_t{1} << out);
        c.deflected += wanted == 0;
        count_sent(k, out, f.vc, 1);
        ring().put_flit(port(k, out).flits, flit::make_word(f.packet, f.number, f.vc, f.kind), f.vc, t);
    }
    c.hops += m_here.size();
}

std::uint32_t deflection_bank::choose(std::uint32_t k, std::uint64_t ports) {
    if (m_params.choice == port_choice::random)
        for (auto n = random(k).below(static_cast<std::uint32_t>(__builtin_popcountll(ports))); n != 0; --n)
            ports &= ports - 1;
    return static_cast<std::uint32_t>(lowest(ports));
}

std::uint64_t deflection_bank::bytes() const {
    return bufferless_bank::bytes() + m_injections.size() * sizeof(injection) + m_next_class.size() +
           size() * (sizeof(counts) + 17) + m_parts->of.size() * sizeof(reassembly::entry);
}

void deflection_bank::add_counts(std::map<std::string, double>& sum) const {
    for (const counts& c : m_counts) {
        sum["hops"] += static_cast<double>(c.hops);
        sum["deflected"] += static_cast<double>(c.deflected);
        sum["injection_blocked"] += static_cast<double>(c.blocked);
    }
}

void deflection_bank::finish_counts(std::map<std::string, double>& sum) const {
    sum["deflected_per_hop"] = sum["hops"] == 0 ? 0 : sum["deflected"] / sum["hops"];
}

}  // namespace sare
