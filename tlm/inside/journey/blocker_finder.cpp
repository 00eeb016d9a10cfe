// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/journey/blocker_finder.h"

#include <algorithm>

namespace sare {

blocker_finder::blocker_finder(const network_view& net, std::uint32_t router, const stall_finder& stalls,
                               number_of packet)
    : m_net(net),
      m_stalls(stalls),
      m_packet(std::move(packet)),
      m_router(router),
      m_vcs(stalls.vcs()),
      m_outputs(stalls.inputs()),
      m_last_sent(net.ports(router), unknown) {
    for (std::uint32_t p = 0; p < net.ports(router); ++p) m_depth.push_back(net.depth_beyond(router, p));
    end_cycle();
}

blocker blocker_finder::find(std::uint32_t i, const stall_cause& cause, cycle_t now) const {
    const std::uint32_t o = cause.out, port = o / m_vcs;
    if (o == front_flit::none) return {};
    switch (cause.why) {
        case stall_reason::no_vc:
            return by(m_outputs[o].holder);
        case stall_reason::no_credit:
            return holder_of_place(o);
        case stall_reason::consumer:
            return {blocker::kind::node, m_net.map()->peer(router_id(m_router), port_id(port)).id};
        case stall_reason::lost_va:
            return winner_at(o);
        case stall_reason::lost_sa:
            return winner_of_switch(i, port);
        case stall_reason::link:
            return m_stalls.is_asleep(port, now) ? blocker{blocker::kind::sleep, 0} : by(m_last_sent[port]);
        default:
            return {};
    }
}

/// Returns the packet that has output VC o after the cycle. Where its last flits have left and more is to
/// come, the input VC that owns it is empty.
std::uint64_t blocker_finder::owner_now(std::uint32_t o) const {
    const std::uint32_t i = m_stalls.out(o).owner;
    if (i == out_vc::no_owner) return unknown;
    for (const departure& d : m_left)
        if (d.in == i && d.out == o) return d.packet;
    if (i < m_outputs.size()) {
        if (m_stalls.in(i).count != 0) return m_packet(m_stalls.buffered(i, 0).packet);
    } else if (const router_bank& bank = m_net.bank_of(m_router); bank.terms().owns_nodes) {
        return m_packet(bank.in(m_net.in_bank(m_router), i / m_vcs, i % m_vcs).packet);  // an injection queue
    }
    return m_stalls.last_owner(o) == i ? m_outputs[o].holder : unknown;
}

/// Returns who got output VC o in this cycle: it may have sent all by it already.
blocker blocker_finder::winner_at(std::uint32_t o) const {
    if (const std::uint64_t owner = owner_now(o); owner != unknown) return by(owner);
    for (const departure& d : m_left)
        if (d.out == o) return by(d.packet);
    return {};
}

/// Returns who left by the same output port, or else came by the same input port.
blocker blocker_finder::winner_of_switch(std::uint32_t i, std::uint32_t port) const {
    for (const departure& d : m_left)
        if (d.out != front_flit::none && d.out / m_vcs == port) return by(d.packet);
    for (const departure& d : m_left)
        if (d.in / m_vcs == i / m_vcs) return by(d.packet);
    return {};
}

std::uint32_t blocker_finder::places_taken(std::uint32_t o) const {
    const std::uint32_t depth = m_depth[o / m_vcs], free = m_stalls.out(o).credits;
    return depth > free ? depth - free : 0;
}

/// Returns the packet whose place is given back next: that of the oldest flit sent, as places form a FIFO.
blocker blocker_finder::holder_of_place(std::uint32_t o) const {
    const port_peer to = m_net.map()->peer(router_id(m_router), port_id(o / m_vcs));
    if (to.what == port_peer::kind::router && m_net.model(to.id).terms().pool != 0)
        return holder_of_shared_place(to.id, to.port);
    const std::deque<std::uint64_t>& sent = m_outputs[o].sent;
    const std::size_t now = m_stalls.sent(o),
                      taken = places_taken(o);  // flits of this cycle are not in `sent` yet
    if (taken == 0 || taken > sent.size() + now) return {};
    return taken > now ? by(sent[sent.size() + now - taken]) : winner_at(o);
}

/// Returns the packet at the front of the VC that has most of an input port's shared places.
blocker blocker_finder::holder_of_shared_place(std::uint32_t router, std::uint32_t port) const {
    std::uint32_t most = 0, vc = 0;
    for (std::uint32_t v = 0; m_net.has_router(router) && v < m_vcs; ++v)
        if (const std::uint32_t held = m_net.in(router, port, v).count; held > most) most = held, vc = v;
    return most == 0 ? blocker() : by(m_packet(m_net.buffered(router, port, vc, 0).packet));
}

void blocker_finder::end_cycle() {
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o) {
        output& out = m_outputs[o];
        std::uint32_t known = 0;
        for (const departure& d : m_left) {
            if (d.out != o) continue;
            out.sent.push_back(d.packet);
            m_last_sent[o / m_vcs] = d.packet;
            ++known;
        }
        for (; known < m_stalls.sent(o);
             ++known) {  // from an injection queue, or by a port that is not shown
            out.sent.push_back(out.holder);
            m_last_sent[o / m_vcs] = out.holder;
        }
        while (out.sent.size() > places_taken(o)) out.sent.pop_front();
        out.holder = owner_now(o);
    }
}

}  // namespace sare
