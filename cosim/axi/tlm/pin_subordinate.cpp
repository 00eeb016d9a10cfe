// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/tlm/pin_subordinate.h"

#include "cosim/axi/model/atomic.h"
#include "cosim/axi/model/burst.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace sare::axi {
namespace {

address address_of(const extension& e, std::uint64_t at) {
    address a;
    a.addr = at;
    a.len = static_cast<std::uint8_t>(e.beats - 1);
    a.size = e.size;
    a.burst = e.type;
    a.cache = e.cache;
    a.prot = e.prot;
    a.qos = e.qos;
    a.region = e.region;
    a.user = e.user;
    return a;
}

tlm::tlm_response_status status_of(response r) {
    return r == response::slverr   ? tlm::TLM_GENERIC_ERROR_RESPONSE
           : r == response::decerr ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                   : tlm::TLM_OK_RESPONSE;
}

/// Makes a burst atomic, as its bridge has passed it on.
void make_atomic(address& a, const atomic_access& what) {
    a.atop = what.awatop();
    a.burst = is_upper_half(a) ? burst_kind::wrap : burst_kind::incr;
}

}  // namespace

void pin_subordinate_base::dump(std::ostream& to) const {
    sc_core::sc_object::dump(to);
    to << "reads under way = " << m_reads.open.size() << ", writes = " << m_writes.open.size() << '\n';
}

/// Does an access. Exclusive ones are done by the bridge: the pins see plain ones.
void pin_subordinate_base::b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    auto& e = *p.get_extension<extension>();
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    way& w = p.is_write() ? m_writes : m_reads;
    auto* const atomic = p.get_extension<atomic_access>();
    std::optional<std::uint64_t> id;
    while (!(id = free_id(p.is_write(), atomic != nullptr))) sc_core::wait(m_ended);
    const auto a = std::make_shared<pin_access>();
    a->where = address_of(e, p.get_address());
    a->where.id = *id;
    if (atomic != nullptr) m_atomics.insert(*id);
    if (atomic != nullptr) make_atomic(a->where, *atomic);
    const bool reads = !p.is_write() || fetches(a->where);
    a->write = p.is_write();
    a->read = value_of(a->where);
    a->back.resize(!reads ? 0 : a->write ? value_bytes(a->where) : p.get_data_length());
    a->due = a->write && reads ? 2 : 1;
    if (reads) m_reads.open[a->where.id] = a;
    a->data.assign(p.get_data_ptr(), p.get_data_ptr() + p.get_data_length());
    for (unsigned k = 0; p.get_byte_enable_ptr() != nullptr && k < p.get_data_length(); ++k)
        a->enables.push_back(p.get_byte_enable_ptr()[k % p.get_byte_enable_length()]);
    if (a->write) m_writes.open[a->where.id] = a;
    w.addresses.push_back(a);
    if (a->write) m_w.push_back(a);
    while (!a->done) sc_core::wait(m_ended);
    m_atomics.erase(a->where.id);
    if (reads) std::copy(a->back.begin(), a->back.end(), a->write ? atomic->before.data() : p.get_data_ptr());
    e.resp = a->resp;
    p.set_response_status(status_of(a->resp));
}

/// Returns an ID that is free; an atomic transaction shares its ID with none.
std::optional<std::uint64_t> pin_subordinate_base::free_id(bool write, bool atomic) const {
    for (std::uint64_t id = 0; id < m_ids; ++id) {
        const bool is_read = m_reads.open.count(id) != 0, is_written = m_writes.open.count(id) != 0;
        if (m_atomics.count(id) == 0 && !(write || atomic ? is_written : is_read) && !(atomic && is_read))
            return id;
    }
    return std::nullopt;
}

void pin_subordinate_base::edge() {
    take(in.read());
    show();
    out.write(m_shown);
}

/// Takes the handshakes of the cycle that ends.
void pin_subordinate_base::take(const backward_pins& b) {
    if (m_shown.ar_valid && b.ar_ready) m_reads.addresses.pop_front();
    if (m_shown.aw_valid && b.aw_ready) m_writes.addresses.pop_front();
    if (m_shown.w_valid && b.w_ready) {
        m_shown.w_valid = false;
        if (m_shown.w_last) m_w.pop_front();
    }
    if (m_shown.r_ready && b.r_valid) {
        const auto found = m_reads.open.find(b.r_id);
        if (found != m_reads.open.end()) read_beat(*found->second, b.r);
        if (b.r_last) end(m_reads, b.r_id, response::okay);
    }
    if (m_shown.b_ready && b.b_valid) end(m_writes, b.b_id, b.b_resp);
}

void pin_subordinate_base::end(way& w, std::uint64_t id, response resp) {
    const auto found = w.open.find(id);
    if (found == w.open.end())
        return SC_REPORT_ERROR(
            "/sare/cosim",
            (fmt::format("{}: the subordinate answers ID {}, of which nothing is under way", name(), id))
                .c_str());
    found->second->resp = std::max(found->second->resp, resp);
    found->second->done = --found->second->due == 0;
    w.open.erase(found);
    m_ended.notify(sc_core::SC_ZERO_TIME);
}

wide pin_subordinate_base::write_beat(pin_access& a) const {
    wide beat;
    const std::size_t half = is_upper_half(a.where) ? a.data.size() / 2 : 0;
    for_bytes(operand_of(a.where), a.next++, m_bus_bytes, [&](std::uint64_t, std::uint32_t lane) {
        beat.set(8 * lane, 8, a.data[(a.filled + half) % a.data.size()]);
        const bool enabled = a.enables.empty() || a.enables[a.filled] != TLM_BYTE_DISABLED;
        beat.set(8 * m_bus_bytes + lane, 1, enabled);
        ++a.filled;
    });
    return beat;
}

/// Takes a beat; the worst response of the beats is the burst's.
void pin_subordinate_base::read_beat(pin_access& a, const wide& beat) const {
    const auto resp = static_cast<response>(beat.get(8 * m_bus_bytes, 2));
    if (resp >= response::slverr) a.resp = std::max(a.resp, resp);
    if (a.next_back == a.read.beats()) return;
    for_bytes(a.read, a.next_back++, m_bus_bytes, [&](std::uint64_t, std::uint32_t lane) {
        a.back[a.filled_back++] = static_cast<unsigned char>(beat.get(8 * lane, 8));
    });
}

/// Drives the pins, which stay until taken. Answers are always taken, as a process waits for each.
void pin_subordinate_base::show() {
    m_shown.ar_valid = !m_reads.addresses.empty();
    if (m_shown.ar_valid) m_shown.ar = m_reads.addresses.front()->where;
    m_shown.aw_valid = !m_writes.addresses.empty();
    if (m_shown.aw_valid) m_shown.aw = m_writes.addresses.front()->where;
    m_shown.b_ready = m_shown.r_ready = true;
    if (m_shown.w_valid || m_w.empty()) return;
    pin_access& a = *m_w.front();
    m_shown.w_valid = true;
    m_shown.w = write_beat(a);
    m_shown.w_last = a.next == a.where.beats();
}

}  // namespace sare::axi
