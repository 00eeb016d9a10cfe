// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/nodes.h"

#include "tlm/base/bits.h"
#include "tlm/fabric/fabric.h"
#include "tlm/router_api/router_context.h"
#include "tlm/systemc/kernel_api.h"

#include <fmt/format.h>

namespace sare::axi {

axi_node::axi_node(const sc_core::sc_module_name& name, const block_context& context, payload_board& board,
                   std::unique_ptr<node_nic> nic, std::uint32_t data_width)
    : foreign_block(name),
      m_engine(context.engine),
      m_node(context.node),
      m_board(board),
      m_nic(std::move(nic)),
      m_rules(data_width),
      m_open(context.engine.net().view().classes()),
      m_sequence(context.engine.net().view().classes()),
      m_offers(context.engine.net().view().classes()) {
    SARE_HAS_PROCESS(axi_node);
    SC_METHOD(edge);
    sensitive << clock.pos();
    dont_initialize();
}

void axi_node::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "node = " << m_node << '\n'
        << "last clock edge in cycle = " << (m_last_edge ? std::to_string(*m_last_edge) : "none") << '\n'
        << "flits between NIC and link = " << m_on_the_way.size() << '\n';
    for (std::uint32_t c = 0; c < m_open.size(); ++c)
        if (m_open[c]) out << "class " << c << ": flit " << m_sequence[c] << " of a packet leaves next\n";
}

flit_target_socket& axi_node::in(std::uint32_t) {
    return in_socket(m_in, *this, *this);
}

flit_initiator_socket& axi_node::out(std::uint32_t) {
    return out_socket(m_out, *this, *this);
}

/// Takes a flit, which the NIC sees at the clock edge of this cycle.
tlm::tlm_sync_enum axi_node::nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time&) {
    const flit f = payload.data;
    reported([&] {
        m_nic->arrives({f.is_head(), f.is_tail(), f.vc, m_board.take(f.packet)});
        m_engine.net().nics().flit_arrives(m_node, f, m_engine.cycle());
    });
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum axi_node::nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time&) {
    m_credits |= 1u << payload.data.vc;
    return tlm::TLM_ACCEPTED;
}

void axi_node::edge() {
    if (!m_is_broken) reported([this] { step(); });
}

void axi_node::check(const forward_pins& f, const backward_pins& b) {
    const bool told = !m_rules.broken_rule().empty();
    m_rules.cycle(f, b);
    if (!told && !m_rules.broken_rule().empty()) throw std::runtime_error(m_rules.broken_rule());
}

void axi_node::end_of_simulation() {
    if (m_is_broken) return;
    reported([this] { m_nic->finish(); });
    reported([this] { finish(); });
}

template <class Does>
void axi_node::reported(const Does& does) {
    try {
        does();
    } catch (const std::runtime_error& problem) {
        m_is_broken = m_handler != nullptr;
        cosim::tell(*this, m_handler, m_engine.cycle() + 1, problem);
    }
}

void axi_node::step() {
    const cycle_t now = m_engine.cycle();
    if (m_last_edge && now != *m_last_edge + 1)
        throw std::runtime_error(
            fmt::format("its clock has edges in cycles {} and {}; one a cycle is wanted", *m_last_edge, now));
    m_last_edge = now;
    std::uint32_t message_class = 0;
    const leaving_flit f = leaving(message_class);
    for (auto& o : m_offers) o.reset();
    const bool sent = offer(f, message_class);
    m_nic->clock(end_cycle(sent, *m_nic));
    put_on_link();
    for (std::uint32_t vcs = m_nic->credits(); vcs != 0; vcs &= vcs - 1) send_credit(in(0), lowest(vcs));
}

/// Tells the model of a packet that begins. Its source queue must be empty: packets leave one by one.
void axi_node::begin(const leaving_flit& f, std::uint32_t message_class) {
    if (m_open[message_class]) return;
    if (m_engine.net().nics().next_packet(m_node, message_class) != nullptr)
        throw std::runtime_error("the workload sends from this node, which is an AXI node");
    m_board.begin(m_node, f.node, f.length, message_class);
    m_open[message_class] = true;
}

/// Shows the flit to the NIC, and a new packet to the model. Returns true if the flit is taken.
bool axi_node::offer(const leaving_flit& f, std::uint32_t message_class) {
    const cycle_t now = m_engine.cycle();
    if (f.what.valid) {
        begin(f, message_class);
        const auto* packet = m_engine.net().nics().next_packet(m_node, message_class);
        if (packet->flits != f.length)
            throw std::runtime_error(fmt::format(
                "a packet of {} flits: nic.max_packet_flits must be at least as large", f.length));
        m_offers[message_class] = node_nic::offer{f.what, packet->route, f.length};
    }
    const bool taken = m_nic->send(m_offers, m_credits) != 0;
    m_credits = 0;
    if (!taken) return false;
    const std::uint32_t id = m_engine.net().nics().flit_leaves(m_node, message_class, now);
    std::uint32_t& sequence = m_sequence[message_class];
    m_board.put(id, f.what.data);
    m_on_the_way.push_back({id, static_cast<std::uint16_t>(sequence)});
    sequence = f.what.tail ? 0 : sequence + 1;
    m_open[message_class] = !f.what.tail;
    m_engine.work_at(now + 1);
    return true;
}

/// Puts a flit on the link; flits leave the NIC in the order in which it took them.
void axi_node::put_on_link() {
    const auto f = m_nic->sent();
    if (!f) return;
    const flit_number next = m_on_the_way.front();
    m_on_the_way.pop_front();
    const std::uint32_t kind = (f->head ? flit::head : 0) | (f->tail ? flit::tail : 0);
    send_flit(out(0), flit::from_word(flit::make_word(next.packet, next.sequence, f->vc, kind)),
              &m_engine.net().context().packets()[next.packet]);
}

// ---- manager ---------------------------------------------------------------------------------------------

manager_node::manager_node(const sc_core::sc_module_name& name, const block_context& context,
                           payload_board& board, std::unique_ptr<node_nic> nic,
                           std::unique_ptr<manager_bridge> bridge, std::uint32_t data_width)
    : axi_node(name, context, board, std::move(nic), data_width),
      m_bridge(std::move(bridge)),
      m_responses(context.engine.net().view().classes() - 1) {}

leaving_flit manager_node::leaving(std::uint32_t& message_class) const {
    const leaving_flit f = m_bridge->out().req;
    message_class = f.message_class;
    return f;
}

std::uint32_t manager_node::end_cycle(bool sent, const node_nic& nic) {
    const manager_bridge::outputs o = m_bridge->out();
    manager_bridge::inputs in;
    in.axi = from_manager.read();
    check(in.axi, o.axi);
    in.req_ready = static_cast<std::uint32_t>(sent) << o.req.message_class;
    in.rsp = nic.received(m_responses);
    m_bridge->clock(in);
    to_manager.write(m_bridge->out().axi);
    return static_cast<std::uint32_t>(in.rsp.valid && o.rsp_ready) << m_responses;
}

void manager_node::start_of_simulation() {
    to_manager.write(m_bridge->out().axi);
}

// ---- subordinate -----------------------------------------------------------------------------------------

subordinate_node::subordinate_node(const sc_core::sc_module_name& name, const block_context& context,
                                   payload_board& board, std::unique_ptr<node_nic> nic,
                                   std::unique_ptr<subordinate_bridge> bridge, std::uint32_t data_width)
    : axi_node(name, context, board, std::move(nic), data_width),
      m_bridge(std::move(bridge)),
      m_responses(context.engine.net().view().classes() - 1) {}

leaving_flit subordinate_node::leaving(std::uint32_t& message_class) const {
    message_class = m_responses;
    return m_bridge->out().rsp;
}

std::uint32_t subordinate_node::end_cycle(bool sent, const node_nic& nic) {
    const subordinate_bridge::outputs o = m_bridge->out();
    subordinate_bridge::inputs in;
    in.axi = from_subordinate.read();
    check(o.axi, in.axi);
    in.rsp_ready = sent;
    std::uint32_t taken = 0;
    for (std::uint32_t c = 0; c < m_responses; ++c) {
        in.req.push_back(nic.received(c));
        taken |= static_cast<std::uint32_t>(in.req[c].valid && (o.req_ready >> c & 1) != 0) << c;
    }
    m_bridge->clock(in);
    to_subordinate.write(m_bridge->out().axi);
    return taken;
}

void subordinate_node::start_of_simulation() {
    to_subordinate.write(m_bridge->out().axi);
}

}  // namespace sare::axi
