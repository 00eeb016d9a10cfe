// SPDX-License-Identifier: Apache-2.0
#include "tlm/crossing/gateway.h"

#include "tlm/fabric/fabric.h"
#include "tlm/router_api/router_context.h"

#include "tlm/systemc/kernel_api.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {

gateway::gateway(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t node)
    : foreign_block(name),
      m_engine(engine),
      m_node(node),
      m_vcs_of_class(engine.net().context().shares().own(0)),
      m_onward([](const message& m) {
          message there = m;
          there.destination = static_cast<std::uint32_t>(m.tag);
          return std::optional(there);
      }),
      m_clock("clock", engine),
      m_arriving(engine.net().view().vcs()),
      m_crossing(engine.net().view().classes()),
      m_within(engine.net().view().classes()),
      m_credits(engine.net().view().vcs()),
      m_leaving(engine.net().view().classes()) {
    if (node >= engine.net().view().nodes()) {
        report_error(report_id::crossing,
                     fmt::format("{}: there is no node {}; make its NIC before, of {} there are",
                                 this->name(), node, engine.net().view().nodes()));
        return;
    }
    if (!engine.net().context().shares().equal()) {
        report_error(
            report_id::crossing,
            std::string(this->name()) + ": its message classes must have as many VCs each, and share none");
        return;
    }
    engine.net().builder().take_over_nic(node);
    for (std::uint32_t c = 0; c < m_crossing.size(); ++c)
        m_crossing[c] = m_leaving[c].last_vc = first_vc(c) + m_vcs_of_class - 1;
    SARE_HAS_PROCESS(gateway);
    SC_METHOD(step);
    sensitive << m_clock.event();
    dont_initialize();
}

gateway::~gateway() = default;

void gateway::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    std::size_t waiting = 0;
    for (const arriving& a : m_arriving) waiting += a.flits.size();
    out << "node = " << m_node << '\n'
        << "other side = " << (m_other == nullptr ? "none" : m_other->name()) << '\n'
        << "flits that wait for a place in the FIFO = " << waiting << '\n';
    for (std::uint32_t c = 0; c < m_leaving.size(); ++c)
        if (const leaving& l = m_leaving[c]; l.is_under_way)
            out << "class " << c << ": flit " << l.sent << " of " << l.flits << " leaves next by vc " << l.vc
                << '\n';
}

flit_target_socket& gateway::in(std::uint32_t) {
    return in_socket(m_in, *this, *this);
}

flit_initiator_socket& gateway::out(std::uint32_t) {
    return out_socket(m_out, *this, *this);
}

bool gateway::empty() const {
    return std::all_of(m_arriving.begin(), m_arriving.end(),
                       [](const arriving& of_vc) { return of_vc.flits.empty(); });
}

void gateway::join(gateway& other, fifos& to_other, fifos& from_other) {
    m_other = &other;
    m_to_other = &to_other;
    m_from_other = &from_other;
}

void gateway::end_of_elaboration() {
    const fabric& net = m_engine.net();
    m_terms = std::make_unique<router_terms>(
        net.view().model(net.view().map()->router_of(node_id(m_node)).value).terms());
    m_depth = m_terms->depth;
    if (const std::string wrong = wrong_with_network(); !wrong.empty())
        return report_error(report_id::crossing, std::string(name()) + wrong);
    std::fill(m_credits.begin(), m_credits.end(), m_depth);
    if (const auto* l = dynamic_cast<const link*>(out().get_base_port().get_interface()))
        m_cycles_per_flit = l->attributes().cycles_per_flit;
}

/// Returns what is wrong with its own network, and with the other one as far as it is known here.
std::string gateway::wrong_with_network() const {
    const std::string node = fmt::format("node {}", m_node);
    if (m_other == nullptr) return " has no crossing: what is sent to " + node + " would go nowhere";
    if (m_terms->owns_nodes)
        return " stands at " + node +
               ", whose router has the injection queues of its nodes inside; a gateway needs a router that "
               "has links to its nodes";
    const nic_state& nic = m_engine.net().view().nic(m_node);
    const std::uint64_t longest = m_other->engine().net().context().max_packet();
    if (nic.pads || nic.max_packet < longest)
        return fmt::format(
            " sends on packets of up to {} flits as they come; the NIC of {} must have max_packet_flits of "
            "at least that, and not pad them",
            longest, node);
    return "";
}

void gateway::wake_in(cycle_t at) {
    if (at != workload::never) m_clock.wake_in(at);
}

/// Turns a flit into one of the other network; a head says where its packet goes.
crossing_flit gateway::taken(const flit& f, const packet& header, bool& ends_here) {
    crossing_flit c{f.is_head(), f.is_tail(), {}};
    if (!c.head) return c;
    message here = m_engine.net().view().messages()[header.message].what;
    here.flits = header.flits;
    std::optional<message> there;
    if ((here.tag & cycle_engine::bridge_tag) == 0) there = m_onward(here);
    const std::uint32_t nodes = m_other->engine().net().view().nodes();
    ends_here = !there || there->destination >= nodes;
    if (there && ends_here)
        report_error(report_id::crossing,
                     fmt::format("{}: a message from node {} is to go on to node {}, and there are {}",
                                 name(), here.source, there->destination, nodes));
    if (ends_here) return c;
    c.what = *there;
    c.what.source = m_other->node();
    c.what.message_class = here.message_class;
    c.what.flits = header.flits;
    c.what.bytes = message::in_flits;
    c.what.tag &= ~cycle_engine::bridge_tag;
    return c;
}

/// Takes a flit in the cycle of its arrival; its credit waits until it has a place in the FIFO.
tlm::tlm_sync_enum gateway::nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time&) {
    const flit& f = payload.data;
    arriving& a = m_arriving[f.vc];
    const crossing_flit c = taken(f, *payload.header, a.ends_here);
    const cycle_t now = m_engine.cycle();
    m_engine.net().nics().flit_arrives(m_node, f, now);
    if (a.ends_here) {
        send_credit(in(), f.vc);
    } else {
        a.flits.push_back(c);
        m_clock.wake_in(now);
    }
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum gateway::nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time&) {
    ++m_credits[payload.data.vc];
    m_clock.wake_in(m_engine.cycle());
    return tlm::TLM_ACCEPTED;
}

void gateway::step() {
    const std::optional<cycle_t> come = m_clock.come();
    if (!come) return;
    const cycle_t now = *come;
    const auto classes = static_cast<std::uint32_t>(m_leaving.size());
    for (std::uint32_t c = 0; c < classes; ++c) write_one(c, now);
    if (m_link_free <= now)
        for (std::uint32_t k = 0; k < classes; ++k) {
            const std::uint32_t c = (m_next_class + k) % classes;
            if (!send_one(c, now)) continue;
            m_next_class = (c + 1) % classes;
            break;
        }
    // What there is to do without anything coming from elsewhere.
    for (std::uint32_t c = 0; c < classes; ++c) {
        if (const cycle_t ready = (*m_from_other)[c].ready_at();
            ready != workload::never && m_link_free > now)
            m_clock.wake_in(std::max(ready, m_link_free));
        else if (ready != workload::never && ready > now)
            m_clock.wake_in(ready);
        const cycle_t room = (*m_to_other)[c].room_at();
        if (room != workload::never && has_to_write(c)) m_clock.wake_in(std::max(room, now + 1));
    }
}

bool gateway::has_to_write(std::uint32_t message_class) const {
    if (m_within[message_class]) return !m_arriving[m_crossing[message_class]].flits.empty();
    const auto first = m_arriving.begin() + first_vc(message_class);
    return std::any_of(first, first + m_vcs_of_class, [](const arriving& a) { return !a.flits.empty(); });
}

/// Writes a flit of the class into the FIFO: of the packet that is crossing, or of the next VC's.
void gateway::write_one(std::uint32_t message_class, cycle_t now) {
    auto& fifo = (*m_to_other)[message_class];
    if (!fifo.has_room(now) || !has_to_write(message_class)) return;
    std::uint32_t& vc = m_crossing[message_class];
    if (!m_within[message_class]) {
        const std::uint32_t first = first_vc(message_class);
        do vc = vc + 1 == first + m_vcs_of_class ? first : vc + 1;
        while (m_arriving[vc].flits.empty());
    }
    arriving& a = m_arriving[vc];
    const crossing_flit f = a.flits.front();
    a.flits.pop_front();
    m_within[message_class] = !f.tail;
    fifo.write(f, now);
    send_credit(in(), vc);
    m_other->wake_in(fifo.ready_at());
}

/// Begins a packet on the next VC of its class that has room for it. Returns false if none has.
bool gateway::begin(std::uint32_t message_class, const message& what, cycle_t now) {
    leaving& l = m_leaving[message_class];
    const std::uint32_t needs = m_terms->requires_empty_buffer ? m_depth
                                : m_terms->whole_packets       ? what.flits
                                                               : 1;
    const std::uint32_t first = first_vc(message_class);
    std::uint32_t vc = l.last_vc;
    for (std::uint32_t tried = 0;; ++tried) {
        if (tried == m_vcs_of_class) return false;
        vc = vc + 1 == first + m_vcs_of_class ? first : vc + 1;
        if (m_credits[vc] >= needs) break;
    }
    if (m_engine.net().view().nic(m_node).queues[message_class].first != class_queue::none)
        report_error(report_id::crossing,
                     fmt::format("{}: node {} was given a message to send; that of a gateway sends what "
                                 "comes over its crossing, and nothing of its own",
                                 name(), m_node));
    message m = what;
    m.generated = now;
    m_engine.net().port().send(m);
    l = {true, vc, m_engine.net().nics().next_packet(m_node, message_class)->flits, 0, vc};
    return true;
}

/// Sends a flit of the class on the link. Returns false if there is none, or no credit for it.
bool gateway::send_one(std::uint32_t message_class, cycle_t now) {
    auto& fifo = (*m_from_other)[message_class];
    leaving& l = m_leaving[message_class];
    if (!fifo.is_ready(now)) return false;
    if (!l.is_under_way && !begin(message_class, fifo.front().what, now)) return false;
    if (m_credits[l.vc] == 0) return false;
    flit f;
    f.packet = m_engine.net().nics().flit_leaves(m_node, message_class, now);
    f.sequence = static_cast<std::uint16_t>(l.sent);
    f.vc = static_cast<std::uint8_t>(l.vc);
    if (l.sent == 0) f.kind = flit::head;
    if (++l.sent == l.flits) f.kind = static_cast<std::uint8_t>(f.kind | flit::tail);
    l.is_under_way = l.sent != l.flits;
    --m_credits[l.vc];
    m_link_free = now + m_cycles_per_flit;
    fifo.pop(now);
    send_flit(out(), f, &m_engine.net().context().packets()[f.packet]);
    m_other->wake_in((*m_from_other)[message_class].room_at());
    if (!fifo.empty()) m_clock.wake_in(std::max(fifo.ready_at(), m_link_free));
    return true;
}

}  // namespace sare
