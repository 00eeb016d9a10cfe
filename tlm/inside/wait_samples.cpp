// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/wait_samples.h"

#include "tlm/base/world.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/state/archive.h"

namespace sare {
namespace {

/// Cycles from a sample to the next one, at the least: by these samples take less than 1% of the instructions
/// of a run, for where little waits cycles are cheap.
constexpr cycle_t gap = 1000, gap_of_idle = 4000;

}  // namespace

wait_samples::wait_samples(const network_view& net, world* processes)
    : m_net(net), m_world(processes), m_vcs(net.vcs()) {
    std::uint32_t ports = 0;
    std::size_t turns = 0;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        const std::uint32_t own = net.ports(r);
        m_first_port.push_back(ports);
        m_first_turn.push_back(turns);
        ports += own;
        turns += std::size_t{own} * own;
    }
    m_first_port.push_back(ports);
    m_links.resize(std::size_t{ports} + net.nodes());
    m_turns.resize(turns);
}

void wait_samples::start(cycle_t now) {
    m_last = now;
    m_next = now;
}

/// It stands for all cycles since the one before.
void wait_samples::sample(cycle_t now) {
    if (now < m_next || now == m_last) return;
    m_weight = now - m_last;
    m_last = now;
    m_cycles += m_weight;
    m_waiting = 0;
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        if (m_net.has_router(r)) sample_router(r);
    for (std::uint32_t n = 0; n < m_net.nodes(); ++n)
        if (m_net.is_here(n)) sample_node(n);
    if (m_world != nullptr) m_waiting = m_world->sum(m_waiting);
    m_next = now + (m_waiting > m_net.routers() / 2 ? gap : gap_of_idle);
}

void wait_samples::note(std::uint32_t link, const wait& w) {
    ++m_waiting;
    m_links[link].by[w.why] += m_weight;
    m_links[link].blocked += w.blocked ? m_weight : 0;
}

void wait_samples::note(std::uint32_t router, std::uint32_t in, std::uint32_t out, const wait& w) {
    note(link_from(router, out), w);
    m_turns[m_first_turn[router] + std::size_t{in} * ports(router) + out] += m_weight;
}

void wait_samples::sample_router(std::uint32_t router) {
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t k = m_net.in_bank(router), outputs = ports(router) * m_vcs;
    for (std::uint32_t p = 0; p < ports(router); ++p)
        for (std::uint32_t v = 0; v < m_vcs; ++v) {
            const in_vc in = bank.in(k, p, v);
            if (in.count == 0) continue;
            if (bank.bids_for_vc(k, p, v)) {
                sample_head(router, p, v);
            } else if (in.out < outputs) {
                const out_vc out = bank.out(k, in.out / m_vcs, in.out % m_vcs);
                const bool full = out.credits == 0;
                if (out.owner == p * m_vcs + v) note(router, p, in.out / m_vcs, {full ? credit : turn, full});
            }
        }
}

/// One that bids counts for each port that it may leave by, unless it only has to be served: routers that
/// look ahead do not show that.
void wait_samples::sample_head(std::uint32_t router, std::uint32_t in, std::uint32_t vc_in) {
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t k = m_net.in_bank(router);
    for (std::uint32_t q = 0; q < ports(router); ++q) {
        bool asks = false, free = false, room = false, moves = false;
        for (std::uint32_t w = 0; w < m_vcs; ++w) {
            if (!bank.asks_for(k, in, vc_in, q, w)) continue;
            const out_vc out = bank.out(k, q, w);
            asks = true;
            if (out.owner != out_vc::no_owner) {
                moves = moves || out.credits != 0;
            } else {
                free = true;
                room = room || (out.credits != 0 && bank.has_credits(k, in, vc_in, q, w, out.credits));
            }
        }
        if (asks && !room) note(router, in, q, {free ? credit : vc, !moves});
    }
}

void wait_samples::sample_node(std::uint32_t node) {
    const nic_state& nic = m_net.nic(node);
    const std::uint32_t router = m_net.map()->router_of(node_id(node)).value;
    if (m_net.bank_of(router).terms().owns_nodes) {
        // What waits in the router's own queue, behind a packet, has no room in it.
        if (nic.queued != 0 || nic.held_messages > 1) note(link_of_node(node), {credit, true});
        return;
    }
    if (nic.queued == 0 || m_net.is_taken_over(node)) return;
    for (std::uint32_t c = 0; c < m_net.classes(); ++c) {
        const class_queue& queue = nic.queues[c];
        if (queue.packet == class_queue::none && queue.first == class_queue::none) continue;
        bool room = false;
        if (queue.packet != class_queue::none) {
            room = nic.vc_credits[queue.vc] != 0;
        } else {
            for (std::uint32_t v = queue.first_vc; v <= queue.last_vc; ++v)
                room = room || nic.vc_credits[v] >= nic.head_credits;
        }
        note(link_of_node(node), {room ? turn : credit, !room});
    }
}

void wait_samples::serialize(archive& a) {
    a(m_cycles, m_last, m_next, m_turns);
    for (link_waits& l : m_links) a(l.by[vc], l.by[credit], l.by[turn], l.blocked);
}

/// All have taken the same samples, each of its part.
void wait_samples::add_up(world& all) {
    all.sum(m_turns.data(), m_turns.size());
    std::vector<std::uint64_t> flat;
    flat.reserve(m_links.size() * (causes + 1));
    for (const link_waits& l : m_links)
        flat.insert(flat.end(), {l.by[vc], l.by[credit], l.by[turn], l.blocked});
    all.sum(flat.data(), flat.size());
    for (std::size_t k = 0; k < m_links.size(); ++k)
        m_links[k] = {{flat[4 * k], flat[4 * k + 1], flat[4 * k + 2]}, flat[4 * k + 3]};
}

}  // namespace sare
