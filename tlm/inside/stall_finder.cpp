// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/stall_finder.h"

#include "tlm/router_api/clock_domain.h"

#include <algorithm>

namespace sare {

stall_finder::stall_finder(const network_view& net, std::uint32_t router)
    : m_net(net),
      m_bank(net.bank_of(router)),
      m_pace(m_bank.pace()),
      m_router(router),
      m_place(net.in_bank(router)),
      m_vcs(m_bank.terms().vcs),
      m_period(net.domain_of(router).period()),
      m_outputs(std::size_t{net.ports(router)} * m_vcs) {
    end_cycle();
}

std::optional<stall_reason> stall_finder::reason(std::uint32_t i, const front_flit& f, cycle_t now) const {
    if (f.out == front_flit::none) {
        const bool waits_for_tail = m_pace.whole && !f.whole;
        const cycle_t routed = std::max(f.since, m_pace.whole ? f.tail_came : 0) + m_pace.rc;
        if (!f.head || waits_for_tail || now < routed) return std::nullopt;
        return reason_in_va(i);
    }
    if (now < f.since || now < f.granted + m_pace.va) return std::nullopt;
    if (!f.head && now < f.last_sent + m_pace.flit) return std::nullopt;
    const std::uint32_t need = f.head && m_bank.terms().whole_packets ? f.room : 1;
    return out(f.out).credits < need ? stall_reason::no_credit : stall_reason::lost_sa;
}

/// Its head bid for an output VC. Credits are as the allocator found them.
std::optional<stall_reason> stall_finder::reason_in_va(std::uint32_t i) const {
    const std::uint32_t port = i / m_vcs, vc = i % m_vcs;
    if (!m_net.bids_for_vc(m_router, port, vc)) return std::nullopt;
    stall_reason why = stall_reason::no_vc;
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o) {
        if (m_outputs[o].owner != out_vc::no_owner) continue;
        if (!m_bank.asks_for(m_place, port, vc, o / m_vcs, o % m_vcs)) continue;
        const std::uint32_t credits = out(o).credits + sent(o);
        if (m_bank.has_credits(m_place, port, vc, o / m_vcs, o % m_vcs, credits))
            return stall_reason::lost_va;
        why = stall_reason::no_credit;
    }
    return why;
}

void stall_finder::end_cycle() {
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o) m_outputs[o] = {out(o).owner, out(o).flits};
}

}  // namespace sare
