// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/memory_bridge.h"

#include <algorithm>

namespace sare {

// ---- memory_map -------------------------------------------------------------------------------------------------

memory_map::memory_map(cycle_engine& engine, std::vector<address_range> ranges)
    : m_engine(engine), m_ranges(std::move(ranges)) {
    std::sort(m_ranges.begin(), m_ranges.end(), [](const auto& a, const auto& b) { return a.base < b.base; });
    for (std::size_t k = 1; k < m_ranges.size(); ++k)
        if (m_ranges[k - 1].base + m_ranges[k - 1].size > m_ranges[k].base)
            throw config::error("address ranges overlap at " + std::to_string(m_ranges[k].base));
    engine.net().set_bridge(this);
}

const address_range* memory_map::find(std::uint64_t address) const {
    for (const auto& r : m_ranges)
        if (address >= r.base && address - r.base < r.size) return &r;
    return nullptr;
}

void memory_map::request(tlm::tlm_generic_payload& payload, std::uint32_t source, std::uint32_t target) {
    const std::uint32_t slot = m_accesses.take();
    m_accesses[slot] = {&payload, source, target, false};
    send(slot, source, target, payload.is_write(), 0);
}

void memory_map::respond(std::uint32_t slot) {
    access& a = m_accesses[slot];
    a.response = true;
    send(slot, a.target, a.source, a.payload->is_read(), m_engine.net().classes() - 1);
}

void memory_map::send(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool with_data,
                      std::uint32_t message_class) {
    // Command and address take eight bytes; data follows one way or the other.
    constexpr std::uint64_t command_bytes = 8;
    message m;
    m.source = from;
    m.destination = to;
    m.flits = m_engine.net().flits_for(command_bytes + (with_data ? m_accesses[slot].payload->get_data_length() : 0));
    m.message_class = message_class;
    m.generated = m_engine.cycle();
    m.tag = cycle_engine::bridge_tag | slot;
    m_engine.net().send(m);
    m_engine.work_at(m_engine.cycle() + 1);
}

void memory_map::delivered(const delivery& d) {
    const auto slot = static_cast<std::uint32_t>(d.what.tag & ~cycle_engine::bridge_tag);
    const access a = m_accesses[slot];
    if (!a.response) return m_bridges[a.target]->requested(slot);
    m_accesses.give_back(slot);
    m_bridges[a.source]->responded(*a.payload);
}

// ---- memory_bridge ------------------------------------------------------------------------------------------------

memory_bridge::memory_bridge(const sc_core::sc_module_name& name, nic& interface, memory_map& map)
    : sc_core::sc_module(name), initiators("initiators"), memory("memory"), m_nic(interface), m_map(map),
      m_served("served"), m_requests("requests") {
    SC_HAS_PROCESS(memory_bridge);
    initiators.register_b_transport(this, &memory_bridge::b_transport);
    initiators.register_nb_transport_fw(this, &memory_bridge::nb_transport_fw);
    SC_THREAD(serve);
    SC_METHOD(begin_requests);
    sensitive << m_requests.get_event();
    dont_initialize();
    if (map.m_bridges.size() <= interface.node()) map.m_bridges.resize(interface.node() + 1);
    map.m_bridges[interface.node()] = this;
}

/// The node that owns the address; an address that nobody owns is answered at once.
bool memory_bridge::route(tlm::tlm_generic_payload& payload, std::uint32_t& target) const {
    const address_range* range = m_map.find(payload.get_address());
    const std::uint64_t last = payload.get_address() + std::max(payload.get_data_length(), 1u) - 1;
    if (range == nullptr || range != m_map.find(last) || range->node >= m_map.m_bridges.size() ||
        m_map.m_bridges[range->node] == nullptr) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return false;
    }
    target = range->node;
    return true;
}

/// Loosely timed: the initiator first lets its own time pass, then waits for the response.
void memory_bridge::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    std::uint32_t target = 0;
    if (!route(payload, target)) return;
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    sc_core::sc_event done;
    m_waiting.push_back({&payload, &done});
    m_map.request(payload, m_nic.node(), target);
    sc_core::wait(done);
}

/// Approximately timed: a request is accepted at once and comes back with BEGIN_RESP.
tlm::tlm_sync_enum memory_bridge::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;  // END_RESP: we keep nothing
    m_requests.notify(payload, delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void memory_bridge::begin_requests() {
    while (tlm::tlm_generic_payload* payload = m_requests.get_next_transaction()) {
        m_waiting.push_back({payload, nullptr});
        std::uint32_t target = 0;
        if (route(*payload, target)) m_map.request(*payload, m_nic.node(), target);
        else responded(*payload);
    }
}

/// The target's side: requests are done one after another, however long the memory takes.
void memory_bridge::serve() {
    for (;;) {
        sc_core::wait(m_served.get_event());
        while (served* next = m_served.get_next_transaction()) {
            const std::uint32_t slot = next->slot;
            delete next;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            memory->b_transport(*m_map.m_accesses[slot].payload, delay);
            if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
            m_map.respond(slot);
        }
    }
}

/// The initiator's side: the response is here.
void memory_bridge::responded(tlm::tlm_generic_payload& payload) {
    const auto found = std::find_if(m_waiting.begin(), m_waiting.end(),
                                    [&](const waiting& w) { return w.payload == &payload; });
    if (found == m_waiting.end()) return;
    sc_core::sc_event* done = found->done;
    m_waiting.erase(found);
    if (done != nullptr) return done->notify(sc_core::SC_ZERO_TIME);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    initiators->nb_transport_bw(payload, phase, delay);
}

}  // namespace sare
