// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/nics.h"
#include "tlm/state/archive.h"

namespace sare {

void nics::refusal::serialize(archive& a) {
    a(classes, was_uniform, flits);
}

void nics::serialize(archive& a) {
    a.same(m_nics.size(), "the number of nodes");
    for (nic_state& n : m_nics)
        a.plain(n, &nic_state::vc_credits, &nic_state::expected, &nic_state::queues, &nic_state::hops_to,
                &nic_state::credits, &nic_state::credits_extras, &nic_state::flits, &nic_state::flits_extras);
    a.in_place(m_queues, m_credits, m_expected, m_injecting);
    a(m_waiting, m_held, m_pool_flits);
    a(m_arrivals, m_room, m_flit_hops, m_messages_sent, m_never_started, m_injecting_nodes);
    a(m_refusals);
    for (pause_gate& gate : m_gates) gate.serialize(a);
    if (a.reads())
        for (const auto& [n, r] : m_refusals)
            if (r.was_uniform) m_uniform[n / 64] &= ~(std::uint64_t{1} << (n % 64));
    for (const auto& policy : m_policies)
        if (policy) policy->serialize(a);
}

}  // namespace sare
