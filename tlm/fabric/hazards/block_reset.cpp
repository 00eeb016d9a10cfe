// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/block_reset.h"

#include <vector>

namespace sare {

using kind = link_end::kind;

/// Keeps the count of credits that are not back: flits of other packets still lie in the buffers beyond, or
/// their credits are on their way.
void block_reset::router(std::uint32_t r) {
    router_bank& bank = m_net.bank_of(r);
    const std::uint32_t k = m_net.in_bank(r);
    m_removal.add_those_in({kind::router, r, 0});
    m_removal.add_those_on_links_of({kind::router, r, 0});
    m_removal.take_out(m_t);
    std::vector<std::int32_t> spent;
    for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
        for (std::uint32_t v = 0; v < m_net.vcs(); ++v)
            spent.push_back(static_cast<std::int32_t>(m_net.depth_beyond(r, p)) - m_net.out(r, p, v).credits);
    bank.clear(k, m_t);
    for (std::uint32_t o = 0; o < spent.size(); ++o)
        if (spent[o] != 0) bank.give_credits(k, o / m_net.vcs(), o % m_net.vcs(), -spent[o], m_t);
    m_removal.drop(reset_cause);
}

void block_reset::nic(std::uint32_t n) {
    m_removal.add_those_in({kind::nic, n, 0});
    m_removal.add_those_on_links_of({kind::nic, n, 0});
    m_removal.take_out(m_t);
    m_removal.drop(reset_cause);
    m_net.nics.at(0).its.list_messages(n, [this](std::uint32_t id) {
        m_removal.withdraw(id, m_net.messages()[id].flits_to_inject, reset_cause);
    });
    const nic_state& state = std::as_const(m_net.nics)[n];
    std::vector<std::int32_t> spent;
    for (std::uint32_t v = 0; v < m_net.vcs(); ++v) spent.push_back(state.depth - state.vc_credits[v]);
    m_net.nics.at(0).its.clear(n);
    for (std::uint32_t v = 0; v < m_net.vcs(); ++v) m_net.nics.at(0).its.give_credits(n, v, -spent[v]);
}

}  // namespace sare
