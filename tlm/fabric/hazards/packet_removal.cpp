// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/packet_removal.h"

#include <algorithm>
#include <tuple>

namespace sare {
namespace {

using kind = link_end::kind;

bool is(const link_end& e, const link_end& block) {
    return e.what == block.what && e.id == block.id;
}

}  // namespace

packet_removal::packet_removal(network_state& net) : m_net(net) {
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        m_sources.emplace_back(net.ports(r), end{kind::foreign, 0, 0});
    for_each_link(*net.map(), [&](const link_end& from, const link_end& to) {
        if (net.is_remote(to)) return;
        m_links.push_back({from, to, net.flits_to(to).first});
        if (to.what == kind::router) m_sources[to.id][to.port] = from;
    });
    if (net.remote != nullptr) m_pieces.emplace(net);
}

template <class F>
void packet_removal::for_each_flit(const link& l, const F& f) const {
    const link_ring& ring = m_net.domain_of(l.to).ring();
    for (cycle_t t = m_net.now(); t <= m_net.now() + ring.reach(); ++t) {
        std::uint64_t* const plane = ring.at(t);
        const flit here = flit::from_word(plane[l.flits.flit_at]);
        for (std::uint32_t v = 0; v < m_net.vcs(); ++v) {
            // The reader has one bit for each VC, or one for the port.
            const bool said = l.flits.first_bit != 0 || v == here.vc;
            if (said && (plane[l.flits.inbox] & l.flits.port_bit << (v & l.flits.first_bit)) != 0)
                f(plane, v, here.packet);
        }
    }
}

void packet_removal::add_those_in(const link_end& block) {
    ++m_step;
    if (m_net.is_remote(block)) return;
    const auto found = [this, at = router_of(block)](std::uint32_t p) { add(p, at); };
    if (block.what == kind::nic) {
        const auto [its, n] = m_net.nics.at(block.id);
        return its.list_packets(n, found);
    }
    m_net.bank_of(block.id).list_packets(m_net.in_bank(block.id), found);
}

void packet_removal::add_those_on_links_of(const link_end& block) {
    ++m_step;
    for (const link& l : m_links)
        if (is(l.from, block) || is(l.to, block))
            for_each_flit(l,
                          [&](std::uint64_t*, std::uint32_t, std::uint32_t p) { add(p, router_of(block)); });
}

void packet_removal::add_those_on_link_from(std::uint32_t router, std::uint32_t port) {
    ++m_step;
    for (const link& l : m_links)
        if (is(l.from, {kind::router, router, 0}) && l.from.port == port)
            for_each_flit(l, [&](std::uint64_t*, std::uint32_t, std::uint32_t p) {
                add(p, drop_location{router, port, m_net.packets()[p].route.phase, true});
            });
}

void packet_removal::add_those_that_hold(std::uint32_t router, std::uint32_t port) {
    ++m_step;
    for (std::uint32_t v = 0; m_net.has_router(router) && v < m_net.vcs(); ++v) {
        const std::uint32_t owner = m_net.out(router, port, v).owner;
        if (owner != out_vc::no_owner)
            add(m_net.in(router, owner / m_net.vcs(), owner % m_net.vcs()).packet, router);
    }
}

void packet_removal::take_out(cycle_t t) {
    m_t = t;
    m_step = 0;
    if (m_pieces) m_pieces->share(m_lost);
    if (m_lost.empty()) return;
    for (const link& l : m_links) take_off(l);
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        if (m_net.has_router(r)) take_out_of(r);
}

void packet_removal::take_off(const link& l) {
    for_each_flit(l, [&](std::uint64_t* plane, std::uint32_t vc, std::uint32_t p) {
        if (!is_lost(p)) return;
        plane[l.flits.inbox] &= ~(l.flits.port_bit << (vc & l.flits.first_bit));
        // A NIC that is awake has something to read; credits, too, if they are in this word.
        if (l.to.what == kind::nic && plane[l.flits.inbox] == 0 &&
            m_net.nics.at(l.to.id).its.has_small_sets())
            plane[l.flits.wake_word] &= ~l.flits.wake_bit;
        give_credit(l.from, vc);
    });
}

void packet_removal::take_out_of(std::uint32_t r) {
    m_net.bank_of(r).take_out(
        m_net.in_bank(r), [this](std::uint32_t p) { return is_lost(p); }, m_t,
        [&](std::uint32_t port, std::uint32_t vc) { give_credit(m_sources[r][port], vc); });
}

void packet_removal::give_credit(const link_end& to, std::uint32_t vc) {
    if (m_net.is_remote(to)) return m_pieces->give_credit(to, vc);
    if (to.what == kind::nic) {
        const auto [its, n] = m_net.nics.at(to.id);
        return its.give_credits(n, vc, 1);
    }
    m_net.bank_of(to.id).give_credits(m_net.in_bank(to.id), to.port, vc, 1, m_t);
}

/// Takes a packet out of the NICs of its source and destination here. Returns how many of its flits are not
/// in the network: not injected yet, or consumed.
std::uint32_t packet_removal::take_out_of_nics(std::uint32_t packet) {
    const auto take_out_of = [&](std::uint32_t node) {
        if (!m_net.has_node(node)) return 0U;
        const auto [its, n] = m_net.nics.at(node);
        const auto [unsent, consumed] = its.take_out(n, packet);
        if (unsent != 0) m_net.changes.unsent_rests[node] += unsent;
        return unsent + consumed;
    };
    const route_header way = m_net.packets()[packet].route;
    const std::uint32_t flits = take_out_of(way.source);
    return way.destination == way.source ? flits : flits + take_out_of(way.destination);
}

/// Sorts lost packets by their contents, as pools give out slots in the order in which blocks happen to run.
std::vector<ended_packet> packet_removal::in_order_of_sources() {
    std::vector<ended_packet> all;
    for (const auto& [id, lost] : m_lost)
        all.push_back({id, m_net.packets()[id].flits - take_out_of_nics(id), lost.where, packet_drop::first});
    std::sort(all.begin(), all.end(), [&](const ended_packet& a, const ended_packet& b) {
        return is_told_before(m_net.packets()[a.packet], m_net.packets()[b.packet]);
    });
    return all;
}

void packet_removal::drop(const char* cause) {
    const auto from_nics = [this](std::uint32_t id) { return take_out_of_nics(id); };
    for (const ended_packet& e :
         m_pieces ? m_pieces->bring_together(m_lost, from_nics, m_t) : in_order_of_sources()) {
        const packet& p = m_net.packets()[e.packet];
        if (observer* const o = m_net.observers.get()) o->packet_dropped(e.at.router, p, m_t);
        m_net.changes.count_drop(cause, e.at, e.flits);
        m_net.lose(p.message, p.flits, cause, e.at, e.order);
        m_net.give_back(e.packet);
    }
    m_lost.clear();
}

/// Loses a message here if all of it is withdrawn or if it ends here; else the process where it ends does.
void packet_removal::withdraw(std::uint32_t id, std::uint32_t flits, const char* cause) {
    const message& what = m_net.messages()[id].what;
    m_net.changes.count_unsent(what, flits);
    if (!m_pieces || flits == what.flits || m_net.has_node(what.destination))
        return m_net.lose(id, flits, cause, {}, m_pieces ? m_pieces->order() : packet_drop::first);
    m_pieces->add_rest(id, flits);
}

void packet_removal::tell_withdrawn(const char* cause) {
    if (!m_pieces) return;
    for (const ended_packet& e : m_pieces->bring_rests(m_t)) {
        const packet& p = m_net.packets()[e.packet];
        m_net.lose(p.message, p.flits, cause, e.at, e.order);
        m_net.give_back(e.packet);
    }
}

}  // namespace sare
