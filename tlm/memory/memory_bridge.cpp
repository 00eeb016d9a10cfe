// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/memory_bridge.h"

#include "tlm/memory/bridge_sockets.h"
#include "tlm/memory/initiator_port.h"
#include "tlm/memory/memory_port.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <stdexcept>

namespace sare {

memory_bridge_base::memory_bridge_base(const sc_core::sc_module_name& name, nic& interface, memory_map& map,
                                       const memory_bridge_params& params)
    : sc_core::sc_module(name), m_nic(interface), m_map(map), m_params(params), m_mode(params.mode) {
    with_config_reports(this->name(), [&] { params.check(); });
    if (&interface.engine() != &map.engine())
        report_error(report_id::memory, std::string(this->name()) + ": its NIC is of " +
                                            interface.engine().name() + ", and its map of " +
                                            map.engine().name());
}

void memory_bridge_base::make_ports(std::uint32_t initiators, std::uint32_t memories) {
    for (std::uint32_t k = 0; k < initiators; ++k)
        m_initiators.push_back(std::make_unique<initiator_port>(*this, k));
    for (std::uint32_t k = 0; k < memories; ++k) {
        m_memories.push_back(memory_port::make(*this, k));
        m_map.add(node(), *m_memories.back());
    }
    m_map.join(*this);
}

void memory_bridge_base::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "node = " << node() << '\n';
    for (std::size_t k = 0; k < m_initiators.size(); ++k)
        out << "initiator " << k << ": accesses = " << m_initiators[k]->counts().accesses
            << ", most outstanding = " << m_initiators[k]->counts().most_outstanding << '\n';
    for (std::size_t k = 0; k < m_memories.size(); ++k)
        out << "memory " << k << ": accesses = " << m_memories[k]->counts().accesses
            << ", most held = " << m_memories[k]->counts().most_held
            << ", most at once = " << m_memories[k]->counts().most_at_once << '\n';
}

std::uint32_t memory_bridge_base::bound(const char* what, std::uint32_t k, std::size_t all) const {
    if (k < all) return k;
    const std::string text =
        fmt::format("{}: there is no {} {}; bound are {}, 0 and up", name(), what, k, all);
    report_error(report_id::memory, text);
    throw std::out_of_range(text);  // should reports not throw
}

const initiator_counts& memory_bridge_base::initiator_counts_of(std::uint32_t k) const {
    return m_initiators[bound_initiator(k)]->counts();
}

const memory_counts& memory_bridge_base::memory_counts_of(std::uint32_t k) const {
    return m_memories[bound_memory(k)]->counts();
}

void memory_bridge_base::set_mode(access_mode mode) {
    if (mode == m_mode) return;
    m_mode = mode;
    for (auto& i : m_initiators) i->mode_changed();
}

void memory_bridge_base::set_view(std::uint32_t k, std::vector<address_window> windows) {
    const std::string whose = fmt::format("{}, initiator {}", name(), k);
    m_initiators[bound_initiator(k)]->set_view(
        with_config_reports(whose, [&] { return address_view(std::move(windows)); }));
}

void memory_bridge_base::forget_direct(std::uint64_t first, std::uint64_t last) {
    for (auto& i : m_initiators) i->forget_direct(first, last);
}

memory_bridge_base::~memory_bridge_base() {
    m_map.accesses().over();
}

access_statistics& memory_bridge_base::initiator_statistics(std::uint32_t k) {
    return m_initiators[bound_initiator(k)]->statistics();
}

access_statistics& memory_bridge_base::memory_statistics(std::uint32_t k) {
    return m_memories[bound_memory(k)]->statistics();
}

void memory_bridge_base::b_transport(int k, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    initiator_of(k).b_transport(p, delay);
}

tlm::tlm_sync_enum memory_bridge_base::nb_transport_fw(int k, tlm::tlm_generic_payload& p,
                                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return initiator_of(k).nb_transport_fw(p, phase, delay);
}

unsigned memory_bridge_base::transport_dbg(int k, tlm::tlm_generic_payload& p) {
    return initiator_of(k).transport_dbg(p);
}

tlm::tlm_sync_enum memory_bridge_base::nb_transport_bw(int k, tlm::tlm_generic_payload& p,
                                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return m_memories[static_cast<std::size_t>(k)]->nb_transport_bw(p, phase, delay);
}

bool memory_bridge_base::get_direct_mem_ptr(int k, tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
    return initiator_of(k).get_direct_mem_ptr(p, dmi);
}

void memory_bridge_base::invalidate_direct_mem_ptr(int k, sc_dt::uint64 first, sc_dt::uint64 last) {
    m_map.invalidate(*m_memories[static_cast<std::size_t>(k)], first, last);
}

template class basic_memory_bridge<8>;
template class basic_memory_bridge<16>;
template class basic_memory_bridge<32>;
template class basic_memory_bridge<64>;
template class basic_memory_bridge<128>;
template class basic_memory_bridge<256>;
template class basic_memory_bridge<512>;
template class basic_memory_bridge<1024>;

}  // namespace sare
