// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/run/foreign_port.h"

#include "tlm/fabric/checks.h"
#include "tlm/fabric/network_state.h"

namespace sare {

void foreign_port::write_flit(std::uint32_t foreign, const flit& f, cycle_t at) {
    if (foreign >= m_net.foreign.size()) refuse_number("foreign block", foreign, m_net.foreign.size());
    if (f.vc >= m_net.vcs()) refuse_number("VC", f.vc, m_net.vcs());
    if (f.packet >= m_net.packets().slots()) refuse_number("packet", f.packet, m_net.packets().slots());
    flit sent = f;
    if (m_net.routes().keyed() && f.is_head()) sent.sequence = m_net.head_number(packet_id(f.packet));
    m_net.parts[0].base.ring().put_flit(m_net.foreign[foreign].wires.flits, sent, at);
}

void foreign_port::write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at) {
    if (foreign >= m_net.foreign.size()) refuse_number("foreign block", foreign, m_net.foreign.size());
    if (vc >= m_net.vcs()) refuse_number("VC", vc, m_net.vcs());
    const foreign_block_state& f = m_net.foreign[foreign];
    m_net.parts[0].base.ring().put_credit(f.wires.credits, f.extras.credits, vc, at);
}

std::uint32_t foreign_port::make_packet(const route_header& route, std::uint32_t flits) {
    if (!m_message) m_message = m_net.messages().part(0).take();
    const std::uint32_t made = m_net.packets().part(0).take();
    packet& p = m_net.packets()[made] = {};
    p.route = route;
    p.flits = flits;
    p.message = *m_message;
    return made;
}

}  // namespace sare
