// SPDX-License-Identifier: Apache-2.0
#include "tlm/axi/manager_port.h"

#include "tlm/axi/axi_bridge.h"
#include "tlm/axi/burst.h"
#include "tlm/memory/access.h"
#include "tlm/memory/atomic/atomic_access.h"
#include "tlm/memory/timing/access_timing.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <sysc/kernel/sc_dynamic_processes.h>

#include <algorithm>

namespace sare::axi {
namespace {

/// Counts the beats at the manager's socket as part of its burst's time.
void tell_ends(tlm::tlm_generic_payload& p, const sc_core::sc_time& made, const sc_core::sc_time& answered) {
    auto* asked = p.get_extension<access_timing>();
    if (asked == nullptr) return;
    asked->made = made;
    asked->end(answered);
}

}  // namespace

manager_port::manager_port(bridge_base& bridge, std::uint32_t manager, bool writes)
    : m_bridge(bridge),
      m_manager(manager),
      m_writes(writes),
      m_next_beat(sc_core::sc_gen_unique_name("next_beat")) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.set_sensitivity(&m_next_beat);
    options.dont_initialize();
    sc_core::sc_spawn([this] { send_beat(); }, sc_core::sc_gen_unique_name("beat"), &options);
}

initiator_port& manager_port::network() {
    return m_bridge.way(m_manager, m_writes);
}

backward_if& manager_port::manager() {
    return m_bridge.manager(m_manager);
}

void manager_port::report(const std::string& what) const {
    report_error(report_id::protocol, fmt::format("{}, manager {}: {}", m_bridge.name(), m_manager, what));
}

/// Warns of a manager's mistake that ends as a response, which does not say why.
void manager_port::warn(const tlm::tlm_generic_payload& payload, const std::string& why) const {
    SC_REPORT_WARNING(report_id::burst,
                      (fmt::format("{}, manager {}: a {} ends with TLM_BURST_ERROR_RESPONSE: {}",
                                   m_bridge.name(), m_manager, text_of(payload), why))
                          .c_str());
}

std::string manager_port::wrong_with_manager(const extension& e,
                                             const tlm::tlm_generic_payload& payload) const {
    if (e.id >= max_ids)
        return fmt::format("its ID is {}, and those of a manager are below {}", e.id, max_ids);
    return wrong_with(e, payload, m_bridge.bus_bytes());
}

burst_carrier& manager_port::carry(tlm::tlm_generic_payload& payload) {
    const extension e = extension_of(payload, m_bridge.bus_bytes());
    const std::string why = wrong_with_manager(e, payload);
    const bool wrong = !why.empty();
    if (wrong) warn(payload, why);
    burst_carrier& c = m_carriers.take();
    c.carry(payload, e, wrong, m_bridge.agent(m_manager));
    auto& options = *c.get_extension<access_options>();
    options.request_class = m_bridge.axi_params().request_class(e.qos);
    options.response_class = m_bridge.axi_params().response_class(e.qos);
    const std::uint64_t touched =
        atomic_of(c) != nullptr ? extent_of(c) : std::min(c.get_data_length(), c.get_streaming_width());
    if (!network().reaches(c.get_address(), touched)) c.misplace();
    if (wrong) c.spoil();
    return c;
}

/// Reports a payload that begins again before its end.
bool manager_port::refuse_open(const tlm::tlm_generic_payload& payload) const {
    if (!m_payloads.has(payload)) return false;
    report(text_of_open(payload));
    return true;
}

/// Does a burst loosely timed: beats of the request, then network and memory, then beats of the response.
void manager_port::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    struct carried {
        manager_port& port;
        burst_carrier& c;
        ~carried() {
            port.m_payloads.remove(c.original);
            c.release();
        }
    };
    if (refuse_open(payload)) return;
    const carried by{*this, carry(payload)};
    m_payloads.add(payload);
    by.c.made = sc_core::sc_time_stamp() + delay;
    delay += m_bridge.period() * (m_writes ? by.c.beats() : 1);
    network().b_transport(by.c, delay);
    const std::uint32_t back = (response_bytes(by.c) + m_bridge.bus_bytes() - 1) / m_bridge.bus_bytes();
    delay += m_bridge.period() * (m_writes ? std::max(back, 1U) : by.c.beats());
    by.c.bring_back();
    tell_ends(payload, by.c.made, sc_core::sc_time_stamp() + delay);
}

tlm::tlm_sync_enum manager_port::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
    const bool begins = phase == tlm::BEGIN_REQ || phase == BEGIN_PARTIAL_REQ;
    if (begins && refuse_open(payload)) return tlm::TLM_ACCEPTED;
    if (phase == tlm::BEGIN_REQ && is_next(payload, true)) return take_request(payload, phase, delay);
    if (phase == BEGIN_PARTIAL_REQ && is_next(payload, false)) {
        if (m_request == nullptr) m_made = sc_core::sc_time_stamp() + delay;
        m_request = &payload;
        ++m_beats_taken;
        take_beat(delay);
        phase = END_PARTIAL_REQ;
        return tlm::TLM_UPDATED;
    }
    const bool last = phase == tlm::END_RESP;
    if ((last || phase == END_PARTIAL_RESP) && m_beat_open && &payload == m_responding->original &&
        last == (m_beats_left == 1)) {
        end_beat(delay);
        return last ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    report(out_of_turn(phase, payload, "AXI4's protocol"));
    return tlm::TLM_ACCEPTED;
}

/// True for a beat of the current request, or for the first one if there is none.
bool manager_port::is_next(const tlm::tlm_generic_payload& payload, bool last) const {
    if (m_request != nullptr && (m_request != &payload || m_beats_taken == 0)) return false;
    if (!m_writes) return last;
    const std::uint32_t beats = std::max<std::uint32_t>(extension_of(payload, m_bridge.bus_bytes()).beats, 1);
    return last == (m_beats_taken + 1 == beats);
}

/// Takes a beat. The delay becomes that of its end: a beat takes a cycle.
void manager_port::take_beat(sc_core::sc_time& delay) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    m_beat_end = std::max(now + delay, m_beat_end) + m_bridge.period();
    delay = m_beat_end - now;
}

tlm::tlm_sync_enum manager_port::take_request(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
    if (m_request == nullptr) m_made = sc_core::sc_time_stamp() + delay;
    take_beat(delay);
    if (payload.has_mm()) payload.acquire();
    m_request = &payload;
    m_beats_taken = 0;
    burst_carrier& c = carry(payload);
    c.made = m_made;
    m_payloads.add(payload);
    const auto refused = [&] {  // the engine runs no further
        m_payloads.remove(&payload);
        m_request = nullptr;
        c.bring_back();
        c.release();
        if (payload.has_mm()) payload.release();
    };
    try {
        const tlm::tlm_sync_enum answer = network().nb_transport_fw(c, phase, delay);
        if (answer == tlm::TLM_COMPLETED) refused();
        if (answer == tlm::TLM_UPDATED) m_request = nullptr;  // END_REQ
        return answer;
    } catch (const sc_core::sc_report&) {
        refused();
        throw;
    }
}

tlm::tlm_sync_enum manager_port::nb_transport_bw(tlm::tlm_generic_payload& carrier, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
    auto& c = static_cast<burst_carrier&>(carrier);
    if (phase == tlm::END_REQ) {
        m_request = nullptr;
        return manager().nb_transport_bw(*c.original, phase, delay);
    }
    c.bring_back();
    m_responding = &c;
    m_beats_left = m_writes ? 1 : c.beats();
    m_next_beat_at = std::max(m_next_beat_at, sc_core::sc_time_stamp() + delay);
    send_beat();
    return tlm::TLM_ACCEPTED;
}

void manager_port::send_beat() {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (m_responding == nullptr || m_beat_open) return;
    if (now < m_next_beat_at) return m_next_beat.notify(m_next_beat_at - now);
    tlm::tlm_phase phase = tlm::BEGIN_RESP, end = tlm::END_RESP;
    if (m_beats_left > 1) phase = BEGIN_PARTIAL_RESP, end = END_PARTIAL_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (m_beats_left == 1) tell_ends(*m_responding->original, m_responding->made, now);
    m_beat_open = true;
    m_next_beat_at = now + m_bridge.period();
    tlm::tlm_generic_payload& payload = *m_responding->original;
    const tlm::tlm_sync_enum answer = manager().nb_transport_bw(payload, phase, delay);
    // It may have ended it by a call of its own, within ours.
    if (answer == tlm::TLM_ACCEPTED || !m_beat_open) return;
    if (answer == tlm::TLM_COMPLETED || phase == end) return end_beat(delay);
    report(out_of_turn(phase, payload, "AXI4's protocol"));  // its end may still come
}

void manager_port::end_beat(const sc_core::sc_time& delay) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    m_beat_open = false;
    m_next_beat_at = std::max(m_next_beat_at, now + delay);
    if (--m_beats_left != 0) return m_next_beat.notify(m_next_beat_at - now);
    burst_carrier& c = *m_responding;
    m_responding = nullptr;
    m_payloads.remove(c.original);
    if (c.original->has_mm()) c.original->release();
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time free = m_next_beat_at - now;
    network().nb_transport_fw(c, phase, free);
    c.release();
}

void manager_port::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
    manager().invalidate_direct_mem_ptr(first, last);
}

}  // namespace sare::axi
