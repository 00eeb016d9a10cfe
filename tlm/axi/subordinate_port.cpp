// SPDX-License-Identifier: Apache-2.0
#include "tlm/axi/subordinate_port.h"

#include "tlm/axi/axi_bridge.h"
#include "tlm/axi/burst.h"
#include "tlm/memory/access.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <sysc/kernel/sc_dynamic_processes.h>

#include <algorithm>

namespace sare::axi {
namespace {

std::uint32_t beats_of(const tlm::tlm_generic_payload& p) {
    return p.get_extension<extension>()->beats;
}

/// True for an access without bytes, from an initiator that knows no AXI4.
bool is_nothing(const tlm::tlm_generic_payload& p) {
    return p.get_command() == tlm::TLM_IGNORE_COMMAND && p.get_extension<extension>() == nullptr;
}

/// Sets the status by AXI's response, in which alone a subordinate may say what is wrong.
void settle_status(tlm::tlm_generic_payload& p) {
    if (!p.is_response_ok()) return;
    const response resp = p.get_extension<extension>()->resp;
    if (resp == response::slverr) p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (resp == response::decerr) p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace

subordinate_port::subordinate_port(bridge_base& bridge, std::uint32_t number)
    : m_bridge(bridge), m_number(number) {
    for (channel& c : m_channels) {
        sc_core::sc_spawn_options options;
        options.spawn_method();
        options.set_sensitivity(&c.next_beat);
        options.dont_initialize();
        sc_core::sc_spawn([this, &c] { send_beat(c); }, sc_core::sc_gen_unique_name("beat"), &options);
    }
}

forward_if& subordinate_port::subordinate() {
    return m_bridge.subordinate(m_number);
}

subordinate_port::parts subordinate_port::parts_for(const tlm::tlm_generic_payload& p) const {
    const auto* given = p.get_extension<extension>();  // none: of an initiator that knows no AXI4
    if (given != nullptr && wrong_with(*given, p, m_bridge.bus_bytes()).empty()) return {};
    const auto all = parts_of(given != nullptr ? *given : extension(), p, m_bridge.bus_bytes());
    return {all.begin(), all.end()};
}

void subordinate_port::b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    if (is_nothing(p)) return p.set_response_status(tlm::TLM_OK_RESPONSE);
    const parts all = parts_for(p);
    if (all.empty()) {
        subordinate().b_transport(p, delay);
        return settle_status(p);
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    for (const burst_part& part : all) {
        burst_carrier& c = m_parts.take();
        c.carry_part(p, part);
        subordinate().b_transport(c, delay);
        settle_status(c);
        if (c.is_response_error()) p.set_response_status(c.get_response_status());
        c.release();
    }
}

bool subordinate_port::get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
    return subordinate().get_direct_mem_ptr(p, dmi);
}

unsigned subordinate_port::transport_dbg(tlm::tlm_generic_payload& p) {
    return subordinate().transport_dbg(p);
}

/// Takes an access; the memory bridge has at most at_once reads and at_once writes open.
tlm::tlm_sync_enum subordinate_port::nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                     sc_core::sc_time&) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    if (is_nothing(p)) {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    parts all = parts_for(p);
    if (all.empty()) {
        enqueue(p);
    } else {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        m_rest.emplace(&p, std::move(all));
        enqueue_part(p);
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void subordinate_port::enqueue(tlm::tlm_generic_payload& p) {
    channel& c = m_channels[p.is_write() ? 1 : 0];
    c.waiting.push_back(&p);
    m_open[&p] = 0;
    c.next_beat.notify(sc_core::SC_ZERO_TIME);
}

/// Returns false if no part is left.
bool subordinate_port::enqueue_part(tlm::tlm_generic_payload& whole) {
    const auto rest = m_rest.find(&whole);
    if (rest->second.empty()) {
        m_rest.erase(rest);
        return false;
    }
    burst_carrier& c = m_parts.take();
    c.carry_part(whole, rest->second.front());
    rest->second.pop_front();
    enqueue(c);
    return true;
}

void subordinate_port::send_beat(channel& c) {
    if (c.requesting == nullptr && !c.waiting.empty()) {
        c.requesting = c.waiting.front();
        c.waiting.pop_front();
        c.beats_left = c.requesting->is_write() ? beats_of(*c.requesting) : 1;
    }
    if (c.requesting == nullptr || c.beat_open) return;
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (now < c.next_beat_at) return c.next_beat.notify(c.next_beat_at - now);
    tlm::tlm_generic_payload& p = *c.requesting;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    if (c.beats_left > 1) phase = BEGIN_PARTIAL_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    c.beat_open = true;
    c.next_beat_at = now + m_bridge.period();
    switch (subordinate().nb_transport_fw(p, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            return;
        case tlm::TLM_UPDATED:
            return answered(p, phase, delay);
        case tlm::TLM_COMPLETED:
            c.beats_left = 1;  // it wants no more
            end_beat(c, delay);
            respond(p, delay);
    }
}

/// Answers by the return path; a response that begins there gets its end by a call.
void subordinate_port::answered(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase,
                                sc_core::sc_time delay) {
    const std::optional<bool> last = advance(p, phase, delay);
    if (!last || (phase != tlm::BEGIN_RESP && phase != BEGIN_PARTIAL_RESP)) return;
    delay += m_bridge.period();
    tlm::tlm_phase end = tlm::END_RESP;
    if (!*last) end = END_PARTIAL_RESP;
    sc_core::sc_time annotated = delay;
    subordinate().nb_transport_fw(p, end, annotated);
    if (*last) respond(p, delay);
}

void subordinate_port::end_beat(channel& c, const sc_core::sc_time& delay) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    c.beat_open = false;
    c.next_beat_at = std::max(c.next_beat_at, now + delay);
    if (--c.beats_left == 0) c.requesting = nullptr;
    c.next_beat.notify(c.next_beat_at - now);
}

/// Returns true if the response has come to its last beat; null if the phase may not come, which is reported.
std::optional<bool> subordinate_port::advance(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase,
                                              const sc_core::sc_time& delay) {
    channel& c = m_channels[p.is_write() ? 1 : 0];
    const auto open = m_open.find(&p);
    const bool requesting = c.requesting == &p && c.beat_open;
    const bool last_request = requesting && c.beats_left == 1;
    if (phase == tlm::END_REQ || phase == END_PARTIAL_REQ) {
        if (requesting && last_request == (phase == tlm::END_REQ)) {
            end_beat(c, delay);
            return false;
        }
    } else if ((phase == tlm::BEGIN_RESP || phase == BEGIN_PARTIAL_RESP) && open != m_open.end() &&
               (c.requesting != &p || last_request)) {
        const bool last = phase == tlm::BEGIN_RESP;
        const std::uint32_t beats = p.is_write() ? 1 : beats_of(p);
        if (last == (open->second + 1 == beats)) {
            ++open->second;
            if (last_request) end_beat(c, delay);  // the response says so
            return last;
        }
    }
    report(out_of_turn(phase, p, "AXI4's protocol"));
    return std::nullopt;
}

void subordinate_port::report(const std::string& what) const {
    report_error(report_id::protocol, fmt::format("{}, subordinate {}: {}", m_bridge.name(), m_number, what));
}

void subordinate_port::respond(tlm::tlm_generic_payload& p, sc_core::sc_time delay) {
    settle_status(p);
    m_open.erase(&p);
    tlm::tlm_generic_payload* whole = &p;
    // A carrier may also be the whole: the one by which a manager's access crosses the network.
    auto* const part = dynamic_cast<burst_carrier*>(&p);
    if (part != nullptr && m_rest.find(part->original) != m_rest.end()) {
        whole = part->original;
        if (p.is_response_error()) whole->set_response_status(p.get_response_status());
        part->release();
        if (enqueue_part(*whole)) return;
    }
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    m_bridge.answer(m_number, *whole, phase, delay);
}

tlm::tlm_sync_enum subordinate_port::nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
    const bool response = phase == tlm::BEGIN_RESP || phase == BEGIN_PARTIAL_RESP;
    const std::optional<bool> last = advance(p, phase, delay);
    if (!response || !last) return tlm::TLM_ACCEPTED;
    delay += m_bridge.period();
    if (*last) {
        phase = tlm::END_RESP;
        respond(p, delay);
        return tlm::TLM_COMPLETED;
    }
    phase = END_PARTIAL_RESP;
    return tlm::TLM_UPDATED;
}

}  // namespace sare::axi
