// SPDX-License-Identifier: Apache-2.0
#include "cosim/router/router_module.h"

#include "tlm/base/bits.h"
#include "tlm/fabric/fabric.h"
#include "tlm/router_api/router_context.h"
#include "tlm/systemc/kernel_api.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sare::cosim {

struct router_module::port_sockets final : public flit_fw_if, public flit_bw_if {
    port_sockets(router_module& m, std::uint32_t p) : owner(m), port(p) {}

    tlm::tlm_sync_enum nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override {
        owner.flit_arrived(port, payload.data, *payload.header);
        return tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override {
        owner.m_in[port].credits |= 1u << payload.data.vc;
        return tlm::TLM_ACCEPTED;
    }

    router_module& owner;
    std::uint32_t port;
    std::optional<flit_target_socket> in;
    std::optional<flit_initiator_socket> out;
};

router_module::router_module(const sc_core::sc_module_name& name, const block_context& context)
    : foreign_block(name),
      m_engine(context.engine),
      m_router(context.router),
      m_forks(context.routing.forks()),
      m_ports(context.map.ports(router_id(context.router))),
      m_open(m_ports.size(), std::vector<std::uint32_t>(context.engine.net().view().vcs())),
      m_leaving(m_open),
      m_in(m_ports.size()),
      m_out(m_ports.size()),
      m_pins(m_ports.size()),
      m_clock("clock", context.engine) {
    SARE_HAS_PROCESS(router_module);
    SC_METHOD(step);
    sensitive << m_clock.event();
    dont_initialize();
    m_clock.wake_in(0);
}

router_module::~router_module() = default;

void router_module::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "ports = " << m_ports.size() << '\n' << "cycles = " << m_cycles << '\n';
    for (std::size_t p = 0; p < m_out.size(); ++p)
        if (m_out[p].valid) out << "flit leaves by port " << p << " vc " << int{m_out[p].what.vc} << '\n';
}

router_module::port_sockets& router_module::at(std::uint32_t port) {
    if (port >= m_ports.size()) {
        const std::string what =
            fmt::format("{} has {} ports, 0 and up; there is no port {}", name(), m_ports.size(), port);
        report_error(report_id::elaboration, what);
        throw std::out_of_range(what);  // should reports not throw
    }
    if (!m_ports[port]) m_ports[port] = std::make_unique<port_sockets>(*this, port);
    return *m_ports[port];
}

flit_target_socket& router_module::in(std::uint32_t port) {
    port_sockets& s = at(port);
    return in_socket(s.in, *this, s, port);
}

flit_initiator_socket& router_module::out(std::uint32_t port) {
    port_sockets& s = at(port);
    return out_socket(s.out, *this, s, port);
}

void router_module::flit_arrived(std::uint32_t port, const flit& f, const packet& header) {
    std::uint32_t& open = m_open[port][f.vc];
    if (f.is_head()) {
        open = m_packets.take();
        const std::uint32_t branches = branches_of({port, f.vc}, header.route);
        m_packets[open] = {header.route, header.flits, f.packet, ++m_uids, {port, f.vc}, branches, branches};
    }
    m_in[port].valid = true;
    m_in[port].what = f;
    m_in[port].what.packet = open;
}

/// Returns the number of branches of a packet that has come in.
std::uint32_t router_module::branches_of(const input_channel& in, route_header route) const {
    if (!m_forks) return 1;
    route_set ways;
    m_engine.net().context().find_candidates(m_router, in.port, in.vc, route, ways);
    return ways.fork ? ways.size : 1;
}

/// Returns the network's number for a branch whose head leaves: that of the packet, if it is the last one,
/// else that of a copy.
std::uint32_t router_module::begin_branch(std::uint32_t port, carried_packet& p) {
    if (!m_forks) return p.outer;
    router_context& net = m_engine.net().context();
    route_header way = net.packets()[p.outer].route;
    const port_peer to = net.map()->peer(router_id(m_router), port_id(port));
    if (to.what == port_peer::kind::node) way.destination = to.id;
    if (--p.heads != 0)
        return net.copy(router_id(m_router), port_id(p.in.port), packet_id(p.outer), way).value;
    net.packets()[p.outer].route = way;
    return p.outer;
}

void router_module::step() {
    const std::optional<cycle_t> now = m_clock.come();
    if (!now) return;
    const cycle_t t = *now + 1;
    m_clock.wake_in(t);
    ++m_cycles;
    try {
        m_block->cycle(t, m_in, m_out);
    } catch (const std::exception& problem) {
        std::fill(m_out.begin(), m_out.end(), port_out());
        tell(*this, m_handler, t, problem);
    }
    for (std::uint32_t q = 0; q < m_ports.size(); ++q) {
        m_pins[q] = {seen(m_in[q]), seen(m_out[q])};
        m_in[q] = {};
        if (m_out[q].credits != 0) give_credits(q, m_out[q].credits);
        if (m_out[q].valid) send(q, m_out[q].what);
    }
}

/// Returns what crossed pins, with the number that the network gives the packet.
template <class Pins>
pins_of_port router_module::seen(const Pins& p) const {
    pins_of_port all;
    all.credits = p.credits;
    if (!p.valid) return all;
    all.what = p.what;
    all.what->packet = m_packets[p.what.packet].outer;
    return all;
}

void router_module::finish() {
    if (m_has_finished) return;
    m_has_finished = true;
    try {
        m_block->finish();
    } catch (const std::exception& problem) {
        tell(*this, m_handler, m_cycles, problem);
    }
}

void router_module::send(std::uint32_t port, flit f) {
    const std::uint32_t inside = f.packet;
    std::uint32_t& leaving = m_leaving[port][f.vc];
    if (f.is_head()) leaving = begin_branch(port, m_packets[inside]);
    f.packet = leaving;
    if (f.is_tail() && --m_packets[inside].tails == 0) m_packets.give_back(inside);
    send_flit(out(port), f, &m_engine.net().context().packets()[leaving]);
}

void router_module::give_credits(std::uint32_t port, std::uint32_t vcs) {
    for (; vcs != 0; vcs &= vcs - 1) send_credit(in(port), lowest(vcs));
}

}  // namespace sare::cosim
