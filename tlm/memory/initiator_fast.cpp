// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/access_id.h"
#include "tlm/memory/initiator_port.h"
#include "tlm/memory/memory_bridge.h"
#include "tlm/memory/scoped_address.h"
#include "tlm/memory/timing/access_statistics.h"

#include <algorithm>

/// What does without the network: accesses of the modes estimate and functional, DMI, debug accesses.
namespace sare {

/// Loosely timed: done at once, and the network's time annotated. Nothing waits here but for what the same ID
/// has under way, from before a change of mode or by phases.
void initiator_port::access(tlm::tlm_generic_payload& payload, const address_range& range,
                            sc_core::sc_time& delay, access_mode mode) {
    if (!m_ids.empty()) wait_for_open(id_of(payload), delay);
    memory_port& memory = *m_map.memory_of(range);
    const auto ahead = [&] { return sc_core::sc_time_stamp() + delay; };
    access_times times;
    times.begin(ahead());
    const bool timed = mode == access_mode::estimate;
    const auto cross = [&](std::uint32_t from, std::uint32_t to, bool with_data) {
        delay = m_map.until_arrival(delay, m_map.estimate(from, to, payload, with_data));
    };
    const scoped_address there(payload, range.in_memory(payload.get_address()), length_in(range, payload));
    if (timed) {
        probe(memory, payload);
        cross(node(), memory.node(), payload.is_write());
    }
    times.request_arrived = times.memory_begun = ahead();
    memory.access(payload, delay);
    times.memory_done = times.response_injected = ahead();
    if (timed) cross(memory.node(), node(), payload.is_read());
    times.response_arrived = ahead();
    times.end(ahead());
    if (mode != access_mode::functional) payload.set_dmi_allowed(false);
    ++m_counts.accesses;
    tell_times(payload, times);
    m_statistics->count(payload, times);
}

/// Of the initiator's own time passes what the wait takes.
void initiator_port::wait_for_open(std::uint32_t id, sc_core::sc_time& delay) {
    const sc_core::sc_time due = sc_core::sc_time_stamp() + delay;
    while (m_ids.count(id) != 0) sc_core::wait(m_closed);
    delay = std::max(due, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
}

/// One at a time: with the first estimated access, then at distances of 2, 4, 8 and so on, up to `sample`.
void initiator_port::probe(memory_port& to, const tlm::tlm_generic_payload& like) {
    if (m_params.sample == 0 || ++m_unprobed < m_probe_after || m_probing || m_map.engine().finished())
        return;
    m_unprobed = 0;
    m_probe_after = std::min(2 * m_probe_after, m_params.sample);
    m_probing = true;
    m_map.probe(*this, to, like);
}

void initiator_port::carry(memory_access& a, cycle_t cycles) {
    if (!a.response && a.mode == access_mode::estimate) probe(*a.to, a);
    (a.response ? a.times.response_injected : a.times.request_injected) = sc_core::sc_time_stamp();
    m_carried.notify(
        a, cycles == 0 ? sc_core::SC_ZERO_TIME : m_map.until_arrival(sc_core::SC_ZERO_TIME, cycles));
}

void initiator_port::arrive() {
    while (tlm::tlm_generic_payload* p = m_carried.get_next_transaction()) {
        auto& a = static_cast<memory_access&>(*p);
        (a.response ? a.times.response_arrived : a.times.request_arrived) = sc_core::sc_time_stamp();
        if (a.response)
            answered(a);
        else
            a.to->requested(a);
    }
}

void initiator_port::mode_changed() {
    m_probe_after = 1;
    forget_direct(0, ~std::uint64_t{0});
}

/// One that is bound to nothing has never asked.
void initiator_port::forget_direct(std::uint64_t first, std::uint64_t last) {
    if (m_asked_direct) m_bridge.initiator(m_number).invalidate_direct_mem_ptr(first, last);
}

/// What the memory gives, in the range's bounds and by its addresses. Not while accesses are under way, which
/// it could overtake.
bool initiator_port::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    m_asked_direct = true;
    dmi.init();
    if (m_bridge.mode() != access_mode::functional) return false;
    const std::uint64_t address = payload.get_address();
    const address_range* range = m_map.find(address);
    memory_port* memory = range == nullptr ? nullptr : m_map.memory_of(*range);
    if (memory != nullptr && m_ids.empty()) {
        const std::uint64_t there = range->in_memory(address);
        const scoped_address in_memory(payload, there, payload.get_data_length());
        const bool given = memory->get_direct_mem_ptr(payload, dmi);
        const std::uint64_t first = dmi.get_start_address(), last = dmi.get_end_address();
        if (first <= there && there <= last) {
            const auto seen = *range->addresses_of(first, last);
            if (given && first < range->offset) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (range->offset - first));
            dmi.set_start_address(seen.first);
            dmi.set_end_address(seen.second);
            return given;
        }
    }
    dmi.init();
    dmi.set_start_address(address);
    dmi.set_end_address(address);
    return false;
}

/// As far as the range goes.
unsigned initiator_port::transport_dbg(tlm::tlm_generic_payload& payload) {
    const address_range* range = m_map.find(payload.get_address());
    memory_port* memory = range == nullptr ? nullptr : m_map.memory_of(*range);
    if (memory == nullptr) return 0;
    const std::uint64_t address = payload.get_address();
    const auto length =
        static_cast<unsigned>(std::min<std::uint64_t>(payload.get_data_length(), range->bytes_from(address)));
    const scoped_address there(payload, range->in_memory(address), length);
    return memory->debug(payload);
}

}  // namespace sare
