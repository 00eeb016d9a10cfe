// SPDX-License-Identifier: Apache-2.0
#include "cosim/router/model_nic.h"

namespace sare::cosim {

model_nic::model_nic(const router_params& router, std::uint32_t classes, const nic_params& nic,
                     const packet_table& packets)
    : m_packets(packets), m_inject(router, classes, nic), m_link(nic.delay + 1) {}

std::uint32_t model_nic::offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) {
    std::vector<std::optional<inject_model::shown>> shown(flits.size());
    for (std::size_t c = 0; c < flits.size(); ++c)
        if (flits[c]) shown[c] = {flits[c]->is_tail(), m_packets[flits[c]->packet].flits};
    m_leaves.reset();
    const auto chosen = m_inject.cycle(shown, credits);
    if (!chosen) return 0;
    m_leaves = flits[chosen->message_class];
    m_leaves->vc = static_cast<std::uint8_t>(chosen->vc);
    return 1u << chosen->message_class;
}

void model_nic::clock(cycle_t) {
    m_link.push_back(m_leaves);
    m_link.pop_front();
    m_freed = m_arrived;
    m_arrived = 0;
}

}  // namespace sare::cosim
