// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/block_reset.h"

#include <algorithm>
#include <tuple>

namespace sare {
namespace {

using kind = link_end::kind;

bool is(const link_end& e, kind what, std::uint32_t id) {
    return e.what == what && e.id == id;
}

}  // namespace

fabric::block_reset::block_reset(fabric& net, cycle_t t) : m_net(net), m_t(t) {
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        m_sources.emplace_back(net.ports(r), end{kind::foreign, 0, 0});
    for_each_link(*net.map(), [&](const end& from, const end& to) {
        m_links.push_back({from, to, net.flits_to(to).first});
        if (to.what == kind::router) m_sources[to.id][to.port] = from;
    });
}

template <class F>
void fabric::block_reset::for_each_flit(const link& l, const F& f) const {
    const planes& ring = m_net.m_base.ring();
    for (cycle_t t = m_t; t <= m_t + ring.reach(); ++t) {
        std::uint64_t* const plane = ring.at(t);
        const flit here = flit::from_word(plane[l.flits.flit_at]);
        for (std::uint32_t v = 0; v < m_net.vcs(); ++v) {
            // One bit a VC, or one a port.
            const bool said = l.flits.place != 0 || v == here.vc;
            if (said && (plane[l.flits.inbox] & l.flits.port_bit << (v & l.flits.place)) != 0)
                f(plane, v, here.packet);
        }
    }
}

/// And the router has no packet any more; what its buffers beyond hold of others, and what credits are on
/// their way to it, it still knows.
void fabric::block_reset::router(std::uint32_t r) {
    router_bank& bank = m_net.bank_of(r);
    const std::uint32_t k = m_net.place_in_bank(r);
    bank.list_packets(k, [this](std::uint32_t p) { m_lost.insert(p); });
    lose_what_is_on_links_of({kind::router, r, 0});
    take_out_all();
    std::vector<std::int32_t> spent;
    for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
        for (std::uint32_t v = 0; v < m_net.vcs(); ++v)
            spent.push_back(static_cast<std::int32_t>(m_net.depth_beyond(r, p)) - m_net.out(r, p, v).credits);
    bank.clear(k, m_t);
    for (std::uint32_t o = 0; o < spent.size(); ++o)
        if (spent[o] != 0) bank.give_credits(k, o / m_net.vcs(), o % m_net.vcs(), -spent[o], m_t);
    drop_all();
}

void fabric::block_reset::nic(std::uint32_t n) {
    m_net.m_nics.list_packets(n, [this](std::uint32_t p) { m_lost.insert(p); });
    lose_what_is_on_links_of({kind::nic, n, 0});
    take_out_all();
    drop_all();
    m_net.m_nics.list_messages(
        n, [this](std::uint32_t id) { m_net.lose(id, m_net.m_messages[id].flits_to_inject); });
    const nic_state& state = m_net.nic(n);
    std::vector<std::int32_t> spent;
    for (std::uint32_t v = 0; v < m_net.vcs(); ++v) spent.push_back(state.depth - state.vc_credits[v]);
    m_net.m_nics.clear(n);
    for (std::uint32_t v = 0; v < m_net.vcs(); ++v) m_net.m_nics.give_credits(n, v, -spent[v]);
}

void fabric::block_reset::lose_what_is_on_links_of(const end& block) {
    for (const link& l : m_links)
        if (is(l.from, block.what, block.id) || is(l.to, block.what, block.id))
            for_each_flit(l, [this](std::uint64_t*, std::uint32_t, std::uint32_t p) { m_lost.insert(p); });
}

void fabric::block_reset::take_out_all() {
    if (m_lost.empty()) return;
    for (const link& l : m_links) take_off(l);
    for (std::uint32_t r = 0; r < m_net.routers(); ++r) take_out_of(r);
}

void fabric::block_reset::take_off(const link& l) {
    for_each_flit(l, [&](std::uint64_t* plane, std::uint32_t vc, std::uint32_t p) {
        if (!is_lost(p)) return;
        plane[l.flits.inbox] &= ~(l.flits.port_bit << (vc & l.flits.place));
        // A NIC that is awake has something to read.
        if (l.to.what == kind::nic && plane[l.flits.inbox] == 0)
            plane[l.flits.wake_word] &= ~l.flits.wake_bit;
        give_credit(l.from, vc);
    });
}

void fabric::block_reset::take_out_of(std::uint32_t r) {
    m_net.bank_of(r).take_out(
        m_net.place_in_bank(r), [this](std::uint32_t p) { return is_lost(p); }, m_t,
        [&](std::uint32_t port, std::uint32_t vc) { give_credit(m_sources[r][port], vc); });
}

void fabric::block_reset::give_credit(const end& to, std::uint32_t vc) {
    if (to.what == kind::nic) return m_net.m_nics.give_credits(to.id, vc, 1);
    m_net.bank_of(to.id).give_credits(m_net.place_in_bank(to.id), to.port, vc, 1, m_t);
}

/// Told in the order of their sources: pools give out slots as blocks happen to be run.
void fabric::block_reset::drop_all() {
    packet_changes& changes = m_net.m_changes;
    packet_count& by_reset = changes.dropped_by_cause.try_emplace(reset_cause).first->second;
    std::vector<std::uint32_t> all(m_lost.begin(), m_lost.end());
    const auto of = [this](std::uint32_t id) {
        const packet& p = m_net.m_packets[id];
        return std::make_tuple(p.route.source, p.route.vc_base, p.injected, p.route.destination, p.flits);
    };
    std::sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) { return of(a) < of(b); });
    for (const std::uint32_t id : all) {
        const packet& p = m_net.m_packets[id];
        // Of a copy no flit is at a source.
        std::uint32_t flits = p.flits - m_net.m_nics.take_out(p.route.source, id);
        if (p.route.destination != p.route.source) flits -= m_net.m_nics.take_out(p.route.destination, id);
        by_reset.add(flits);
        changes.dropped.add(flits);
        m_net.lose(p.message, p.flits);
        m_net.m_packets.give_back(id);
    }
}

}  // namespace sare
