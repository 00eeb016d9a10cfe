// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/modules.h"

namespace sare {
namespace {

/// Nobody but a link may call our sockets, and links of our own blocks never do.
tlm::tlm_sync_enum refuse(const sc_core::sc_object& who) {
    SC_REPORT_ERROR("/sare/protocol", (std::string(who.name()) + ": bind a sare::link between two blocks").c_str());
    return tlm::TLM_COMPLETED;
}

}  // namespace

// ---- router ---------------------------------------------------------------------------------------------------

struct router::port : public flit_bw_if {
    port(router& r, std::uint32_t p)
        : owner(r), receiver(r, p), in(("in" + std::to_string(p)).c_str()), out(("out" + std::to_string(p)).c_str()) {
        in.bind(receiver);
        out.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_bw(flit_payload&, flit_phase&, sc_core::sc_time&) override {
        return refuse(owner);
    }

    router& owner;
    router::input receiver;
    flit_target_socket in;
    flit_initiator_socket out;
};

router::router(const sc_core::sc_module_name& name, cycle_engine& engine, const router_params& params,
               std::uint32_t ports)
    : sc_core::sc_module(name), m_id(engine.add(*this, params, ports)), m_ports(ports) {}

router::~router() = default;

void router::make(std::uint32_t p) {
    if (p >= m_ports.size())
        SC_REPORT_FATAL("/sare/elaboration", (std::string(name()) + " has no port " + std::to_string(p)).c_str());
    if (m_ports[p]) return;
    sc_core::sc_get_curr_simcontext()->hierarchy_push(this);
    m_ports[p] = std::make_unique<port>(*this, p);
    sc_core::sc_get_curr_simcontext()->hierarchy_pop();
}

flit_target_socket& router::in(std::uint32_t p) {
    make(p);
    return m_ports[p]->in;
}

flit_initiator_socket& router::out(std::uint32_t p) {
    make(p);
    return m_ports[p]->out;
}

flit_initiator_socket* router::made_out(std::uint32_t p) { return m_ports[p] ? &m_ports[p]->out : nullptr; }

tlm::tlm_sync_enum router::input::nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) {
    return refuse(m_owner);
}

// ---- nic --------------------------------------------------------------------------------------------------------

nic::nic(const sc_core::sc_module_name& name, cycle_engine& engine, const nic_params& params)
    : sc_core::sc_module(name), m_engine(engine), m_node(engine.add(*this, params)) {}

void nic::make() {
    if (m_out) return;
    sc_core::sc_get_curr_simcontext()->hierarchy_push(this);
    m_out.emplace("out");
    m_in.emplace("in");
    sc_core::sc_get_curr_simcontext()->hierarchy_pop();
    m_out->bind(*this);
    m_in->bind(*this);
}

flit_initiator_socket& nic::out() {
    make();
    return *m_out;
}

flit_target_socket& nic::in() {
    make();
    return *m_in;
}

tlm::tlm_sync_enum nic::nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) { return refuse(*this); }
tlm::tlm_sync_enum nic::nb_transport_bw(flit_payload&, flit_phase&, sc_core::sc_time&) { return refuse(*this); }

// ---- link -------------------------------------------------------------------------------------------------------

link::link(const sc_core::sc_module_name& name, cycle_engine& engine, const link_attributes& attributes)
    : sc_core::sc_module(name), in("in"), out("out"), m_engine(engine), m_attributes(attributes) {
    in.bind(*this);
    out.bind(*this);
    engine.add(*this);
}

tlm::tlm_sync_enum link::nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time& delay) {
    if (!m_foreign_sender) return refuse(*this);
    const cycle_t at = m_engine.cycle() + delay.value() / m_engine.period().value();
    m_engine.net().write_flit(*m_foreign_sender, payload.data, at);
    m_engine.work_at(at + m_attributes.latency + m_attributes.cycles_per_flit - 1);
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum link::nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time& delay) {
    if (!m_foreign_receiver) return refuse(*this);
    const cycle_t at = m_engine.cycle() + delay.value() / m_engine.period().value();
    m_engine.net().write_credit(*m_foreign_receiver, payload.data.vc, at);
    m_engine.work_at(at + m_attributes.latency);
    return tlm::TLM_ACCEPTED;
}

void link::flit_arrived(const flit& f) {
    flit_payload payload{f, &m_engine.net().packets()[f.packet]};
    flit_phase phase = flit_phase::flit;
    sc_core::sc_time now = sc_core::SC_ZERO_TIME;
    out->nb_transport_fw(payload, phase, now);
}

void link::credit_arrived(std::uint32_t vc, std::uint32_t count) {
    flit_payload payload;
    payload.data.vc = static_cast<std::uint8_t>(vc);
    flit_phase phase = flit_phase::credit;
    for (; count != 0; --count) {
        sc_core::sc_time now = sc_core::SC_ZERO_TIME;
        in->nb_transport_bw(payload, phase, now);
    }
}

}  // namespace sare
