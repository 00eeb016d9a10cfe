// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"
#include "tlm/inside/describe.h"
#include "tlm/systemc/modules.h"

#include <fmt/format.h>

/// Implements dump() of the modules, in the style of sc_object::dump(): a line for each property.
namespace sare {
namespace {

std::ostream& begin(const sc_core::sc_object& o, std::ostream& out) {
    o.sc_core::sc_object::dump(out);
    return out;
}

/// Returns an end of a link as text; no end is noted for a foreign block.
std::string text_of(const std::optional<link_end>& e) {
    return text(e.value_or(link_end{link_end::kind::foreign, 0, 0}));
}

}  // namespace

void router::dump(std::ostream& out) const {
    begin(*this, out) << describe_router(m_engine.net().view(), m_id);
}

void nic::dump(std::ostream& out) const {
    begin(*this, out) << "node = " << m_node << '\n';
    if (!m_engine.net().view().is_finished()) return;
    const nic_state& n = m_engine.net().view().nic(m_node);
    out << "messages queued = " << n.queued << '\n'
        << "packets injected = " << n.injected_packets << '\n'
        << "packets consumed = " << n.consumed_packets << '\n'
        << "flits injected = " << n.injected_flits << '\n'
        << "flits consumed = " << n.consumed_flits << '\n';
}

void link::dump(std::ostream& to) const {
    begin(*this, to) << "from = " << text_of(m_from) << '\n'
                     << "to = " << text_of(m_to) << '\n'
                     << "latency = " << m_attributes.latency << " cycles\n"
                     << "cycles per flit = " << m_attributes.cycles_per_flit << '\n';
    if (m_attributes.wake == 0) return;
    to << "sleeps after = "
       << (m_attributes.idle == 0 ? "power_down()" : fmt::format("{} idle cycles", m_attributes.idle)) << '\n'
       << "wakes up in = " << m_attributes.wake << " cycles\n";
    const link_sleep* const state = m_from ? m_engine.net().view().sleeper_of(*m_from) : nullptr;
    if (state == nullptr) return;  // elaboration is not over
    const cycle_t now = m_engine.cycle();
    to << "is = " << (state->is_asleep(now) ? "asleep" : "awake") << '\n'
       << "cycles asleep = " << state->cycles_asleep(now) << '\n'
       << "wakings = " << state->wakings() << '\n';
}

void channel::dump(std::ostream& to) const {
    begin(*this, to);
    forward.dump(to);
    backward.dump(to);
}

void cycle_engine::dump(std::ostream& out) const {
    begin(*this, out) << "period = " << period() << '\n'
                      << "routers = " << m_fabric->view().routers() << '\n'
                      << "nodes = " << m_fabric->view().nodes() << '\n'
                      << "VCs = " << m_fabric->view().vcs() << " in " << m_fabric->view().classes()
                      << " classes\n"
                      << "next cycle = " << m_next_cycle << '\n'
                      << "packets in the network = " << m_fabric->view().packets().in_use() << '\n'
                      << "messages not delivered = " << m_fabric->view().messages().in_use() << '\n';
}

}  // namespace sare
