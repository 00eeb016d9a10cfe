// SPDX-License-Identifier: Apache-2.0
#include "tlm/axi/checker.h"

#include <algorithm>

namespace sare::axi {

bool checker_rules::expect(bool right, const std::string& rule) {
    if (!right && violations.size() < 10)
        violations.push_back(sc_core::sc_time_stamp().to_string() + ": " + rule);
    return right;
}

void checker_rules::phase(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase,
                          const sc_core::sc_time& at) {
    direction& d = m_directions[p.is_write() ? 1 : 0];
    if (phase == tlm::BEGIN_REQ || phase == BEGIN_PARTIAL_REQ) {
        begin_request(p, phase == tlm::BEGIN_REQ, at);
    } else if (phase == tlm::BEGIN_RESP || phase == BEGIN_PARTIAL_RESP) {
        begin_response(p, phase == tlm::BEGIN_RESP, at);
    } else if (phase == tlm::END_REQ || phase == END_PARTIAL_REQ) {
        end_beat(d.request, p, phase == tlm::END_REQ, at);
        if (phase == tlm::END_REQ && m_open.count(&p) != 0) m_open.at(&p).sent = true;
    } else if (phase == tlm::END_RESP || phase == END_PARTIAL_RESP) {
        end_beat(d.response, p, phase == tlm::END_RESP, at);
        if (phase == tlm::END_RESP) finish(p);
    } else {
        expect(false, "a phase that AXI4 does not know");
    }
}

void checker_rules::begin_beat(channel& c, tlm::tlm_generic_payload& p, bool last,
                               const sc_core::sc_time& at) {
    expect(c.beat == nullptr, "a beat begins before the one before has ended");
    expect(at >= c.end, "a beat's time is before the end of the one before");
    c.beat = &p;
    c.last = last;
    c.burst = last ? nullptr : &p;
}

void checker_rules::end_beat(channel& c, tlm::tlm_generic_payload& p, bool last, const sc_core::sc_time& at) {
    if (!expect(c.beat == &p && c.last == last, "the end of a beat that has not begun")) return;
    expect(at >= c.end, "time runs back");
    c.beat = nullptr;
    c.end = at;
}

void checker_rules::begin_request(tlm::tlm_generic_payload& p, bool last, const sc_core::sc_time& at) {
    direction& d = m_directions[p.is_write() ? 1 : 0];
    const auto [found, first] = m_open.try_emplace(&p);
    state& s = found->second;
    if (first) {
        ++bursts;
        s.e = extension_of(p, m_bus_bytes);
        s.command = p.get_command();
        s.address = p.get_address();
        s.length = p.get_data_length();
        s.data = p.get_data_ptr();
        before_blocking(p);
        expect(p.has_mm() && p.get_ref_count() > 0, "a request without a memory manager, or not acquired");
        d.order[s.e.id].push_back(&p);
    }
    expect(!s.sent && (d.request.burst == nullptr || d.request.burst == &p),
           first ? "beats of two bursts are mixed" : "a transaction begins that is in use");
    const std::uint32_t beats = p.is_write() ? s.e.beats : 1;
    expect(last == (++s.requested == beats), "a request has as many beats as AxLEN says, and AR one");
    begin_beat(d.request, p, last, at);
}

void checker_rules::begin_response(tlm::tlm_generic_payload& p, bool last, const sc_core::sc_time& at) {
    direction& d = m_directions[p.is_write() ? 1 : 0];
    const auto found = m_open.find(&p);
    if (!expect(found != m_open.end(), "a response to nothing")) return;
    state& s = found->second;
    if (d.request.beat == &p && d.request.last) {  // it ends the request
        end_beat(d.request, p, true, at);
        s.sent = true;
    }
    expect(s.sent, "a response before the last beat of the request");
    expect(d.order[s.e.id].front() == &p, "a response overtakes one of the same ID");
    const std::uint32_t beats = p.is_write() ? 1 : s.e.beats;
    expect(last == (++s.answered == beats), "R has as many beats as AxLEN says, and B one");
    expect(p.get_command() == s.command && p.get_address() == s.address && p.get_data_length() == s.length &&
               p.get_data_ptr() == s.data,
           "attributes have changed");
    if (last) check_response(p, s.e);
    begin_beat(d.response, p, last, at);
}

void checker_rules::check_response(const tlm::tlm_generic_payload& p, const extension& at_start) {
    expect(p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "a response without a status");
    const response resp = extension_of(p, m_bus_bytes).resp;
    expect(resp != response::exokay || (at_start.exclusive && p.is_response_ok()),
           "EXOKAY for an access that is not exclusive, or failed");
}

void checker_rules::finish(tlm::tlm_generic_payload& p) {
    const auto found = m_open.find(&p);
    if (!expect(found != m_open.end(), "the end of a response to nothing")) return;
    auto& order = m_directions[p.is_write() ? 1 : 0].order;
    auto& of_id = order[found->second.e.id];
    of_id.erase(std::remove(of_id.begin(), of_id.end(), &p), of_id.end());
    if (of_id.empty()) order.erase(found->second.e.id);
    m_open.erase(found);
}

void checker_rules::completed(tlm::tlm_generic_payload& p, const sc_core::sc_time& at) {
    const bool one_beat = p.is_write() || extension_of(p, m_bus_bytes).beats == 1;
    begin_response(p, one_beat, at);
    if (const auto found = m_open.find(&p); !one_beat && found != m_open.end())
        check_response(p, found->second.e);
    m_directions[p.is_write() ? 1 : 0].response.beat = nullptr;
    m_directions[p.is_write() ? 1 : 0].response.burst = nullptr;
    finish(p);
}

void checker_rules::before_blocking(const tlm::tlm_generic_payload& p) {
    const std::string wrong = wrong_with(extension_of(p, m_bus_bytes), p, m_bus_bytes);
    expect(wrong.empty(), wrong);
    expect(p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "a request with a status");
}

void checker_rules::after_blocking(const tlm::tlm_generic_payload& p) {
    check_response(p, extension_of(p, m_bus_bytes));
}

}  // namespace sare::axi
