// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/run/external_nics.h"

#include "tlm/fabric/checks.h"
#include "tlm/fabric/network_state.h"

namespace sare {

const waiting_packet* external_nics::next_packet(std::uint32_t node, std::uint32_t message_class) {
    return m_net.nics.next_packet(checked_queue(m_net, node, message_class), message_class);
}

std::uint32_t external_nics::flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t) {
    const auto [its, n] = m_net.nics.at(checked_queue(m_net, node, message_class));
    return its.flit_leaves(n, message_class, t);
}

void external_nics::flit_arrives(std::uint32_t node, const flit& f, cycle_t t) {
    checked_number("packet", f.packet, m_net.packets().slots());
    const auto [its, n] = m_net.nics.at(checked_node(m_net, node));
    its.flit_arrives(n, f, t);
}

}  // namespace sare
