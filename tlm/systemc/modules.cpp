// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/modules.h"

#include "tlm/fabric/fabric.h"
#include "tlm/router_api/registry.h"
#include "tlm/router_api/router_context.h"
#include "tlm/systemc/engine_wiring.h"
#include "tlm/systemc/reports.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

namespace sare {
namespace {

/// Reports a call of one of our sockets: only links may call them, and links between our own blocks never do.
tlm::tlm_sync_enum refuse(const sc_core::sc_object& who) {
    report_error(report_id::protocol, std::string(who.name()) + ": bind a sare::link between two blocks");
    return tlm::TLM_COMPLETED;
}

/// Returns the name of the SystemC object bound to the other side of one of our sockets.
std::string name_of(sc_core::sc_interface* peer) {
    const auto* object = dynamic_cast<sc_core::sc_object*>(peer);
    return object == nullptr ? "the block bound to it" : object->name();
}

}  // namespace

// ---- router ----------------------------------------------------------------------------------------------

struct router::sockets : public flit_bw_if {
    sockets(router& r, std::uint32_t p) : owner(r), receiver(r, p) {}
    tlm::tlm_sync_enum nb_transport_bw(flit_payload&, flit_phase&, sc_core::sc_time&) override {
        return refuse(owner);
    }

    router& owner;
    router::input receiver;
    std::optional<flit_target_socket> in;
    std::optional<flit_initiator_socket> out;
};

router::router(const sc_core::sc_module_name& name, cycle_engine& engine, const config::value& section,
               std::uint32_t ports)
    : router(name, engine, ports, with_config_reports(static_cast<const char*>(name), [&] {
                 return std::shared_ptr<const router_model>(router_registry::instance().make(section));
             })) {}

router::router(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t ports,
               std::shared_ptr<const router_model> model, const clock_ratio& clock)
    : sc_core::sc_module(name),
      m_engine(engine),
      m_id(engine.wiring().add(*this, std::move(model), ports, clock)),
      m_ports(ports) {}

router::router(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t ports, existing r)
    : sc_core::sc_module(name), m_engine(engine), m_id(r.number), m_ports(ports) {
    engine.wiring().join(*this);
}

router::~router() = default;

router::sockets& router::at(std::uint32_t p) {
    if (p >= m_ports.size()) {
        const std::string what =
            fmt::format("{} has {} ports, 0 and up; there is no port {}", name(), m_ports.size(), p);
        report_error(report_id::elaboration, what);
        throw std::out_of_range(what);  // should reports not throw
    }
    if (!m_ports[p]) m_ports[p] = std::make_unique<sockets>(*this, p);
    return *m_ports[p];
}

flit_target_socket& router::in(std::uint32_t p) {
    sockets& s = at(p);
    return in_socket(s.in, *this, s.receiver, p);
}

flit_initiator_socket& router::out(std::uint32_t p) {
    sockets& s = at(p);
    return out_socket(s.out, *this, s, p);
}

flit_target_socket* router::made_in(std::uint32_t p) {
    return p < m_ports.size() && m_ports[p] && m_ports[p]->in ? &*m_ports[p]->in : nullptr;
}

flit_initiator_socket* router::made_out(std::uint32_t p) {
    return p < m_ports.size() && m_ports[p] && m_ports[p]->out ? &*m_ports[p]->out : nullptr;
}

tlm::tlm_sync_enum router::input::nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) {
    return refuse(m_owner);
}

// ---- nic -------------------------------------------------------------------------------------------------

nic::nic(const sc_core::sc_module_name& name, cycle_engine& engine, const nic_params& params)
    : sc_core::sc_module(name),
      m_engine(engine),
      m_params(params),
      m_node(engine.wiring().add(*this, params)) {}

nic::nic(const sc_core::sc_module_name& name, cycle_engine& engine, const nic_params& params,
         std::uint32_t node)
    : sc_core::sc_module(name), m_engine(engine), m_params(params), m_node(node) {
    engine.wiring().join(*this);
}

flit_initiator_socket& nic::out() {
    return out_socket(m_out, *this, *this);
}

flit_target_socket& nic::in() {
    return in_socket(m_in, *this, *this);
}

tlm::tlm_sync_enum nic::nb_transport_fw(flit_payload&, flit_phase&, sc_core::sc_time&) {
    return refuse(*this);
}
tlm::tlm_sync_enum nic::nb_transport_bw(flit_payload&, flit_phase&, sc_core::sc_time&) {
    return refuse(*this);
}

// ---- link ------------------------------------------------------------------------------------------------

link::link(const sc_core::sc_module_name& name, cycle_engine& engine, const link_attributes& attributes)
    : sc_core::sc_module(name), in("in"), out("out"), m_engine(engine), m_attributes(attributes) {
    if (const std::string wrong = wrong_with(attributes); !wrong.empty())
        report_error(report_id::config, std::string(this->name()) + ": " + wrong);
    in.bind(*this);
    out.bind(*this);
    engine.wiring().add(*this);
}

/// Notes the ends of the link when everything is bound. A foreign sender has credits for the buffers of a
/// router of ours; into a NIC of ours, or into another foreign block, it may send without limit.
void link::join(const link_end& from, const link_end& to) {
    using kind = link_end::kind;
    const fabric& net = m_engine.net();
    if (to.what != kind::foreign) m_to = to;
    if (from.what == kind::foreign) {
        m_foreign_sender = from.id;
        const bool bounded = to.what == kind::router;
        m_sent.assign(net.view().vcs(), {bounded ? net.view().model(to.id).terms().depth : ~0u});
    }
    if (to.what == kind::foreign) {
        m_foreign_receiver = to.id;
        m_received.resize(net.view().vcs());
    }
}

/// Returns the state of a link that can sleep; null, with a report, for any other.
const link_sleep* link::sleep() const {
    const link_sleep* state = m_from ? m_engine.net().view().sleeper_of(*m_from) : nullptr;
    if (state == nullptr)
        report_error(
            report_id::power,
            std::string(name()) + " cannot sleep: its attributes have wake: 0, or elaboration is not over");
    return state;
}

void link::power_down() {
    if (sleep() != nullptr) m_engine.set_power(*m_engine.net().view().sleeper_number(*m_from), false);
}

void link::power_up() {
    if (sleep() != nullptr) m_engine.set_power(*m_engine.net().view().sleeper_number(*m_from), true);
}

bool link::is_asleep() const {
    const link_sleep* state = sleep();
    return state != nullptr && state->is_asleep(m_engine.cycle());
}

std::uint64_t link::cycles_asleep() const {
    const link_sleep* state = sleep();
    return state == nullptr ? 0 : state->cycles_asleep(m_engine.cycle());
}

std::uint64_t link::wakings() const {
    const link_sleep* state = sleep();
    return state == nullptr ? 0 : state->wakings();
}

std::string link::broken_by_flit(const flit_payload& payload, flit_phase phase,
                                 const sc_core::sc_time& delay) const {
    const flit& f = payload.data;
    if (phase != flit_phase::flit) return "credit on the forward path";
    if (delay != sc_core::SC_ZERO_TIME) return "annotated delay; call in the cycle itself";
    if (f.vc >= m_sent.size()) return fmt::format("flit on VC {} of {}", f.vc, m_sent.size());
    const shared_pool<packet>& packets = m_engine.net().view().packets();
    if (f.packet >= packets.slots()) return fmt::format("flit of packet {}, which is none", f.packet);
    const sender_vc& v = m_sent[f.vc];
    const std::string on_vc = fmt::format(" on VC {}", f.vc);
    if (m_engine.cycle() < m_next_flit)
        return "second flit" + on_vc + " while the link is busy with the first";
    if (v.credits == 0) return "flit without a credit" + on_vc;
    if (f.is_head() ? v.sequence != 0 || f.sequence != 0
                    : v.sequence == 0 || f.packet != v.packet || f.sequence != v.sequence)
        return fmt::format("flit {} of packet {}{} out of place", f.sequence, f.packet, on_vc);
    if (f.is_tail() != (f.sequence + 1u == packets[f.packet].flits))
        return fmt::format("tail of packet {}{} not where its length says", f.packet, on_vc);
    return f.is_head() ? broken_by_header(packets[f.packet], payload.header) : "";
}

/// Returns what is wrong with the header that comes with the head of packet `p`, or with its route so far; ""
/// if nothing is.
std::string link::broken_by_header(const packet& p, const packet* header) const {
    const std::string to = fmt::format(" for node {}", p.route.destination);
    if (header != nullptr &&
        (header->route.source != p.route.source || header->route.destination != p.route.destination))
        return fmt::format("the header of a packet for node {} with the head of one{}",
                           header->route.destination, to);
    if (p.hops < most_hops(m_engine.net().view().routers())) return "";
    return fmt::format(
        "a packet{} that has visited {} routers: routers send it in circles; one that asks "
        "routing_function::route() must hand on the header that it changes (flit_payload::header)",
        to, p.hops);
}

tlm::tlm_sync_enum link::nb_transport_fw(flit_payload& payload, flit_phase& phase, sc_core::sc_time& delay) {
    if (!m_foreign_sender) return refuse(*this);
    const std::string problem = broken_by_flit(payload, phase, delay);
    if (!problem.empty()) {
        report_error(report_id::protocol,
                     name_of(in.get_base_port().get_interface()) + " sent into " + name() + ": " + problem);
        return tlm::TLM_ACCEPTED;
    }
    const flit& f = payload.data;
    const cycle_t now = m_engine.cycle();
    if (f.is_head() && m_leaves_router) {
        packet& p = m_engine.net().context().packets()[f.packet];
        if (payload.header != nullptr) p.route = payload.header->route;
        ++p.hops;
    }
    sender_vc& v = m_sent[f.vc];
    if (v.credits != ~0u) --v.credits;
    ++v.flits;
    v.packet = f.packet;
    v.sequence = f.is_tail() ? 0 : f.sequence + 1u;
    m_next_flit = now + m_attributes.cycles_per_flit;
    m_engine.net().foreign().write_flit(*m_foreign_sender, f, now);
    m_engine.work_at(now + m_attributes.latency + m_attributes.cycles_per_flit - 1);
    return tlm::TLM_ACCEPTED;
}

std::string link::broken_by_credit(const flit_payload& payload, flit_phase phase,
                                   const sc_core::sc_time& delay) const {
    const std::uint32_t vc = payload.data.vc;
    if (phase != flit_phase::credit) return "flit on the backward path";
    if (delay != sc_core::SC_ZERO_TIME) return "annotated delay; call in the cycle itself";
    if (vc >= m_received.size()) return fmt::format("credit for VC {} of {}", vc, m_received.size());
    if (m_received[vc].owed == 0) return fmt::format("credit for VC {}, which had none outstanding", vc);
    if (m_engine.cycle() < m_received[vc].next_credit)
        return fmt::format("two credits for VC {} in one cycle", vc);
    return "";
}

tlm::tlm_sync_enum link::nb_transport_bw(flit_payload& payload, flit_phase& phase, sc_core::sc_time& delay) {
    if (!m_foreign_receiver) return refuse(*this);
    const std::string problem = broken_by_credit(payload, phase, delay);
    if (!problem.empty()) {
        report_error(report_id::protocol,
                     name_of(out.get_base_port().get_interface()) + " sent into " + name() + ": " + problem);
        return tlm::TLM_ACCEPTED;
    }
    const cycle_t now = m_engine.cycle();
    receiver_vc& v = m_received[payload.data.vc];
    --v.owed;
    v.next_credit = now + 1;
    m_engine.net().foreign().write_credit(*m_foreign_receiver, payload.data.vc, now);
    m_engine.work_at(now + m_attributes.latency);
    return tlm::TLM_ACCEPTED;
}

void link::flit_arrived(const flit& f) {
    ++m_received[f.vc].owed;
    send_flit(out, f, &m_engine.net().context().packets()[f.packet]);
}

void link::credit_arrived(std::uint32_t vc, std::uint32_t count) {
    for (; count != 0; --count) {
        if (m_sent[vc].credits != ~0u) ++m_sent[vc].credits;
        send_credit(in, vc);
    }
}

// ---- channel ---------------------------------------------------------------------------------------------

channel::channel(const sc_core::sc_module_name& name, cycle_engine& engine, const flit_port& a,
                 const flit_port& b, const link_attributes& attributes)
    : sc_core::sc_module(name),
      forward("forward", engine, attributes),
      backward("backward", engine, attributes) {
    bind(a.out, forward, b.in);
    bind(b.out, backward, a.in);
}

}  // namespace sare
