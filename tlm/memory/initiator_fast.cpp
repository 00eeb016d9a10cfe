// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/access_id.h"
#include "tlm/memory/atomic/atomic_access.h"
#include "tlm/memory/initiator_port.h"
#include "tlm/memory/memory_bridge.h"
#include "tlm/memory/memory_port.h"
#include "tlm/memory/scoped_address.h"
#include "tlm/systemc/reports.h"

#include <algorithm>

/// Accesses that do without the network: in the modes estimate and functional, DMI, debug accesses.
namespace sare {

/// Does a loosely timed access at once, and annotates the network's time. It waits only for accesses of its
/// ID that are under way, from before a change of mode or by phases. For accesses in one piece that nobody
/// looks at, since it may take only hundreds of instructions; returns false for others.
bool initiator_port::done_at_once(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, bool timed) {
    if (!m_view.shows_all() || m_map.accesses().counts_all() ||
        payload.get_extension<access_timing>() != nullptr ||
        payload.get_extension<access_options>() != nullptr || atomic_of(payload) != nullptr ||
        check_attributes(payload) != tlm::TLM_OK_RESPONSE)
        return false;
    const std::uint64_t address = payload.get_address();
    const address_range* range = m_map.find(address);
    memory_port* memory = range == nullptr ? nullptr : m_map.memory_of(*range);
    if (memory == nullptr) return false;
    const std::uint64_t room = range->bytes_from(address);
    const bool all = payload.get_byte_enable_ptr() == nullptr;
    if ((all ? std::min(payload.get_data_length(), payload.get_streaming_width()) : extent_of(payload)) >
        room)
        return false;
    if (m_ids.open != 0) wait_for_open(id_of(payload), delay);
    const scoped_address there(payload, range->in_memory(address), length_in(room, payload));
    if (timed) {
        begin_at(delay);
        probe(*memory, payload);
        cross(node(), memory->node(), payload.is_write() ? payload.get_data_length() : 0, delay);
        call_memory(*memory, payload, true, delay);
        cross(memory->node(), node(), payload.is_read() ? payload.get_data_length() : 0, delay);
        payload.set_dmi_allowed(false);
        m_estimated.end = m_map.now() + delay;
    } else {
        memory->access_plain(payload, delay);
    }
    ++m_counts.accesses;
    return true;
}

/// Lets an estimated access begin no earlier than the last one of the same process has ended: a process that
/// drops the delay that it got would lose the network's time. A warning says so once.
void initiator_port::begin_at(sc_core::sc_time& delay) {
    const sc_core::sc_process_b* const caller = sc_core::sc_get_current_process_b();
    if (caller == m_estimated.process && m_map.now() + delay < m_estimated.end) {
        if (!m_estimated.goes_back)
            SC_REPORT_WARNING(report_id::protocol,
                              (text() +
                               ": a process has dropped the delay that b_transport gave it (it began an "
                               "access " +
                               (m_estimated.end - m_map.now() - delay).to_string() +
                               " before the end of its last one); such accesses begin at that end")
                                  .c_str());
        m_estimated.goes_back = true;
        delay = m_estimated.end - m_map.now();
    }
    m_estimated.process = caller;
}

/// Calls a memory, which may add to `delay`. If it returns less, the rest is kept, and a warning says so
/// once.
void initiator_port::call_memory(memory_port& memory, tlm::tlm_generic_payload& payload, bool plain,
                                 sc_core::sc_time& delay) {
    const sc_core::sc_time due = m_map.now() + delay, given = delay;
    plain ? memory.access_plain(payload, delay) : memory.access(payload, delay);
    if (m_map.now() + delay >= due) return;
    // What it has set in place of the delay that it was given is its own time.
    const sc_core::sc_time kept = due + delay - m_map.now();
    if (!m_estimated.takes_back)
        SC_REPORT_WARNING(report_id::protocol,
                          (memory.text() + " was given a delay of " + given.to_string() + " and returned " +
                           delay.to_string() + "; a target adds its time to the delay, so " +
                           kept.to_string() + " is taken")
                              .c_str());
    m_estimated.takes_back = true;
    delay = kept;
}

/// Adds the network's time for a message to the delay.
void initiator_port::cross(std::uint32_t from, std::uint32_t to, std::uint32_t bytes,
                           sc_core::sc_time& delay) {
    delay = m_map.until_arrival(delay, m_map.estimate(from, to, bytes));
}

/// Does any other access at once, with its times. Its parts are under way side by side.
void initiator_port::access(tlm::tlm_generic_payload& payload, const access_route& way,
                            sc_core::sc_time& delay, access_mode mode) {
    const sc_core::sc_time called = sc_core::sc_time_stamp() + delay;
    if (m_ids.open != 0) wait_for_open(id_of(payload), delay);
    const bool timed = mode == access_mode::estimate;
    if (timed) begin_at(delay);
    ++m_counts.accesses;
    access_times times;
    memory_port* at = nullptr;
    if (way.pieces.empty()) {
        at = m_map.memory_of(*way.whole.range);
        times = access(payload, way.whole, delay, timed);
        times.made = called;
        tell_times(payload, times);
    } else {
        const sc_core::sc_time made = sc_core::sc_time_stamp() + delay;
        sc_core::sc_time end = made;
        split_access split(payload, way.pieces);
        for (std::size_t k = 0; k < way.pieces.size(); ++k) {
            delay = std::max(made, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
            const access_times took = access(split.parts()[k], way.pieces[k].at, delay, timed);
            split.settle(split.parts()[k], m_map.memory_of(*way.pieces[k].at.range), took);
            end = std::max(end, sc_core::sc_time_stamp() + delay);
        }
        delay = end - sc_core::sc_time_stamp();
        at = split.memory();
        times = split.answer(end, called);
    }
    if (timed) payload.set_dmi_allowed(false);
    if (timed) m_estimated.end = m_map.now() + delay;
    if (m_map.accesses().counts_all()) over(payload, at, times);
}

access_times initiator_port::access(tlm::tlm_generic_payload& payload, const placement& at,
                                    sc_core::sc_time& delay, bool timed) {
    memory_port& memory = *m_map.memory_of(*at.range);
    const auto ahead = [&] { return sc_core::sc_time_stamp() + delay; };
    access_times times;
    times.begin(ahead());
    const scoped_address there(payload, at.address, length_in(at.bytes, payload));
    if (timed) {
        probe(memory, payload);
        cross(node(), memory.node(), payload.is_write() ? payload.get_data_length() : 0, delay);
    }
    times.request_arrived = times.memory_begun = ahead();
    {
        const scoped_classes of_the_memory(payload);
        timed ? call_memory(memory, payload, false, delay) : memory.access(payload, delay);
    }
    times.memory_done = times.response_injected = ahead();
    if (timed) cross(memory.node(), node(), response_bytes(payload), delay);
    times.response_arrived = ahead();
    times.end(ahead());
    return times;
}

/// Waits until no access of an ID is open; the wait counts as part of `delay`.
void initiator_port::wait_for_open(std::uint32_t id, sc_core::sc_time& delay) {
    const sc_core::sc_time due = sc_core::sc_time_stamp() + delay;
    for (auto its = m_ids.by_id.find(id); its != m_ids.by_id.end() && its->second.open != 0;
         its = m_ids.by_id.find(id)) {
        m_ids.waited_for = true;
        sc_core::wait(m_closed);
    }
    delay = std::max(due, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
}

/// Sends a probe if none is under way: with the first estimated access, then after 2, 4, 8 and so on, up to
/// `sample`.
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

/// Tells an initiator that has asked for DMI, by the addresses that it sees.
void initiator_port::forget_direct(std::uint64_t first, std::uint64_t last) {
    if (!m_asked_direct) return;
    for (const auto& [from, to] : m_view.seen(first, last))
        m_bridge.initiator(m_number).invalidate_direct_mem_ptr(from, to);
}

/// Returns the memory's DMI for the bytes that lie together there, by the initiator's addresses. Refuses
/// while accesses are under way, which DMI could overtake.
bool initiator_port::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    m_asked_direct = true;
    dmi.init();
    if (m_bridge.mode() != access_mode::functional) return false;
    const std::uint64_t address = payload.get_address();
    const placement at = place(address);
    memory_port* memory = at.range == nullptr ? nullptr : m_map.memory_of(*at.range);
    if (memory != nullptr && m_ids.open == 0) {
        const scoped_address in_memory(payload, at.address, payload.get_data_length());
        const bool given = memory->get_direct_mem_ptr(payload, dmi);
        const std::uint64_t first = dmi.get_start_address(), last = dmi.get_end_address();
        if (first <= at.address && at.address <= last) {
            const std::uint64_t before = std::min(at.before, at.address - first);
            const std::uint64_t after = std::min(at.bytes - 1, last - at.address);
            if (given) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (at.address - first - before));
            dmi.set_start_address(address - before);
            dmi.set_end_address(address + after);
            return given;
        }
    }
    dmi.init();
    dmi.set_start_address(address);
    dmi.set_end_address(address);
    return false;
}

/// Reaches as far as there are memories, and not beyond the last address.
unsigned initiator_port::transport_dbg(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    unsigned done = 0;
    while (done < length && payload.get_data_ptr() != nullptr && address + done >= address) {
        const placement at = place(address + done);
        memory_port* memory = at.range == nullptr ? nullptr : m_map.memory_of(*at.range);
        if (memory == nullptr) break;
        const auto bytes = static_cast<unsigned>(std::min<std::uint64_t>(length - done, at.bytes));
        const scoped_address there(payload, at.address, bytes, done);
        const unsigned did = memory->debug(payload);
        done += did;
        if (did < bytes) break;
    }
    return done;
}

}  // namespace sare
