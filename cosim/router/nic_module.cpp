// SPDX-License-Identifier: Apache-2.0
#include "cosim/router/nic_module.h"

#include "cosim/rtl/rtl_library.h"
#include "cosim/scoreboard/violation.h"
#include "tlm/base/bits.h"
#include "tlm/fabric/fabric.h"
#include "tlm/router_api/router_context.h"
#include "tlm/systemc/kernel_api.h"

namespace sare::cosim {

nic_module::nic_module(const sc_core::sc_module_name& name, const block_context& context)
    : foreign_block(name),
      m_engine(context.engine),
      m_node(context.node),
      m_leaving(context.engine.net().view().classes()),
      m_offers(context.engine.net().view().classes()),
      m_open(context.engine.net().view().vcs()),
      m_clock("clock", context.engine) {
    SARE_HAS_PROCESS(nic_module);
    SC_METHOD(step);
    sensitive << m_clock.event();
    dont_initialize();
    m_clock.wake_in(0);
}

nic_module::~nic_module() = default;

void nic_module::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "node = " << m_node << '\n'
        << "cycles = " << m_cycles << '\n'
        << "credits given = " << m_credits << '\n';
}

flit_target_socket& nic_module::in(std::uint32_t) {
    return in_socket(m_in, *this, *this);
}

flit_initiator_socket& nic_module::out(std::uint32_t) {
    return out_socket(m_out, *this, *this);
}

/// Takes arrivals, without waiting for the clock: the node has them in the same cycle. If the RTL hands on
/// something else, the node still gets what came in, and the network goes on.
tlm::tlm_sync_enum nic_module::nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time&) {
    flit f = payload.data;
    std::uint32_t& open = m_open[f.vc];
    if (f.is_head()) {
        open = m_packets.take();
        m_packets[open] = {payload.header->route, payload.header->flits, f.packet, ++m_uids, {}};
    }
    f.packet = open;
    try {
        m_nic->accept(f);
    } catch (const rtl_error& problem) {
        tell(*this, m_handler, m_engine.cycle() + 1, problem);
    }
    flit got = f;
    got.packet = m_packets[open].outer;
    m_engine.net().nics().flit_arrives(m_node, got, m_engine.cycle());
    if (f.is_tail()) m_packets.give_back(open);
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum nic_module::nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time&) {
    m_credits |= 1u << payload.data.vc;
    return tlm::TLM_ACCEPTED;
}

std::optional<flit> nic_module::next_flit(std::uint32_t message_class) {
    const waiting_packet* w = m_engine.net().nics().next_packet(m_node, message_class);
    if (w == nullptr) return std::nullopt;
    leaving& l = m_leaving[message_class];
    if (!l.known) {
        l = {true, m_packets.take(), 0};
        m_packets[l.packet] = {w->route, w->flits, 0, ++m_uids, {}};
    }
    const std::uint32_t kind =
        (l.sequence == 0 ? flit::head : 0) | (l.sequence + 1u == w->flits ? flit::tail : 0);
    return flit::from_word(flit::make_word(l.packet, l.sequence, 0, kind));
}

void nic_module::flit_left(std::uint32_t message_class, cycle_t now) {
    leaving& l = m_leaving[message_class];
    const bool tail = l.sequence + 1u == m_packets[l.packet].flits;
    m_packets[l.packet].outer = m_engine.net().nics().flit_leaves(m_node, message_class, now);
    ++l.sequence;
    if (!tail) return;
    l.known = false;
    m_engine.work_at(now + 1);  // the source may have waited for the room
}

void nic_module::step() {
    const std::optional<cycle_t> come = m_clock.come();
    if (!come) return;
    const cycle_t now = *come;
    m_clock.wake_in(now + 1);
    ++m_cycles;
    try {
        for (std::uint32_t c = 0; c < m_offers.size(); ++c) m_offers[c] = next_flit(c);
        for (std::uint32_t left = m_nic->offer(m_offers, m_credits); left != 0; left &= left - 1)
            flit_left(lowest(left), now);
        m_credits = 0;
        m_nic->clock(now + 1);
        const auto sent = m_nic->sent();
        if (sent) send(*sent);  // whatever its header says
        m_nic->check_header();
    } catch (const rtl_error& problem) {
        tell(*this, m_handler, m_engine.cycle() + 1, problem);
    }
    give_credits(m_nic->credits());
}

void nic_module::finish() {
    if (m_has_finished) return;
    m_has_finished = true;
    try {
        m_nic->finish();
    } catch (const rtl_error& problem) {
        tell(*this, m_handler, m_cycles, problem);
    }
}

void nic_module::send(flit f) {
    const std::uint32_t inside = f.packet;
    f.packet = m_packets[inside].outer;
    if (f.is_tail()) m_packets.give_back(inside);
    send_flit(out(0), f, &m_engine.net().context().packets()[f.packet]);
}

void nic_module::give_credits(std::uint32_t vcs) {
    for (; vcs != 0; vcs &= vcs - 1) send_credit(in(0), lowest(vcs));
}

}  // namespace sare::cosim
