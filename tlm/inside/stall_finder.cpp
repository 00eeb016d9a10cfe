// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/stall_finder.h"

#include "tlm/router_api/clock_domain.h"
#include "tlm/topology/serialisation.h"

#include <algorithm>

namespace sare {

stall_finder::stall_finder(const network_view& net, std::uint32_t router)
    : m_net(net),
      m_bank(net.bank_of(router)),
      m_pace(m_bank.pace()),
      m_router(router),
      m_place(net.in_bank(router)),
      m_vcs(m_bank.terms().vcs),
      m_clock(net.domain_of(router).clock()),
      m_outputs(std::size_t{net.ports(router)} * m_vcs),
      m_link_used(net.ports(router)) {
    for (std::uint32_t p = 0; p < net.ports(router); ++p) m_links.push_back(link_at(p));
    end_cycle();
}

stall_finder::output_link stall_finder::link_at(std::uint32_t port) const {
    const topology& map = *m_net.map();
    const port_peer to = map.peer(router_id(m_router), port_id(port));
    if (to.what == port_peer::kind::none) return {};
    const bool to_node = to.what == port_peer::kind::node;
    const clock_ratio own = map.clock(router_id(m_router)),
                      other = to_node ? map.clock(node_id(to.id)) : map.clock(router_id(to.id));
    const link_attributes link = map.link(router_id(m_router), port_id(port));
    const std::uint32_t on_link = link.clock == own ? link.latency + link.cycles_per_flit - 1 : 0;
    return {serialisation(link, own.period(), other.period()),
            m_net.sleeper_of({link_end::kind::router, m_router, port}), to_node,
            m_bank.terms().flit_delay + on_link};
}

std::uint32_t stall_finder::link_cycles() const {
    std::uint32_t most = 1;
    for (const output_link& l : m_links) most = std::max(most, l.cycles_per_flit);
    return most - 1;
}

void stall_finder::begin_cycle(cycle_t now) {
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o)
        if (sent(o) != 0) m_link_used[o / m_vcs] = now + 1;
}

/// True if a link is asleep, or busy with a flit of an earlier cycle.
bool stall_finder::link_waits(std::uint32_t port, cycle_t now) const {
    const output_link& link = m_links[port];
    const cycle_t used = m_link_used[port];
    const bool busy = used != 0 && used <= now && now + 1 < used + link.cycles_per_flit;
    return busy || is_asleep(port, now);
}

std::optional<stall_cause> stall_finder::reason(std::uint32_t i, const front_flit& f, cycle_t now) const {
    if (f.out == front_flit::none) {
        const bool waits_for_tail = m_pace.whole && !f.whole;
        const cycle_t routed = std::max(f.since, m_pace.whole ? f.tail_came : 0) + m_pace.rc;
        if (!f.head || waits_for_tail || now < routed) return std::nullopt;
        return reason_in_va(i);
    }
    if (now < f.since || now < f.granted + m_pace.va) return std::nullopt;
    if (!f.head && now < f.last_sent + m_pace.flit) return std::nullopt;
    const std::uint32_t need = f.head && m_bank.terms().whole_packets ? f.room : 1;
    if (out(f.out).credits < need || out(f.out).paused) return stall_cause{no_room(f.out), f.out};
    return stall_cause{link_waits(f.out / m_vcs, now) ? stall_reason::link : stall_reason::lost_sa, f.out};
}

/// Reason for a head that bid for an output VC: of those that it lost the first that another packet took.
/// Credits are as the allocator found them.
std::optional<stall_cause> stall_finder::reason_in_va(std::uint32_t i) const {
    const std::uint32_t port = i / m_vcs, vc = i % m_vcs;
    if (!m_net.bids_for_vc(m_router, port, vc)) return std::nullopt;
    stall_cause cause{stall_reason::no_vc};
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o) {
        const bool owned = m_outputs[o].owner != out_vc::no_owner;
        if (owned && cause.out != front_flit::none) continue;
        if (!m_bank.asks_for(m_place, port, vc, o / m_vcs, o % m_vcs)) continue;
        const auto here = static_cast<std::uint16_t>(o);
        if (owned) {
            cause.out = here;
            continue;
        }
        const out_vc now = out(o);
        const std::uint32_t credits = now.credits + sent(o);
        if (m_bank.has_credits(m_place, port, vc, o / m_vcs, o % m_vcs, credits)) {
            if (now.owner != out_vc::no_owner || sent(o) != 0)
                return stall_cause{stall_reason::lost_va, here};
            if (cause.why != stall_reason::lost_va) cause = {stall_reason::lost_va, here};
        } else if (cause.why != stall_reason::lost_va) {
            cause = {no_room(o), here};
        }
    }
    return cause;
}

void stall_finder::end_cycle() {
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o) m_outputs[o] = {out(o).owner, out(o).flits};
}

void stall_finder::forget() {
    m_link_used.assign(m_link_used.size(), 0);
    end_cycle();
}

}  // namespace sare
