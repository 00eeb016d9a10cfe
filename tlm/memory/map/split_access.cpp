// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/map/split_access.h"

#include <algorithm>

namespace sare {

split_access::split_access(tlm::tlm_generic_payload& whole, const std::vector<access_piece>& pieces)
    : m_whole(&whole), m_accesses(pieces.size(), nullptr), m_open(pieces.size()) {
    const unsigned pattern = whole.get_byte_enable_length();
    for (const access_piece& piece : pieces) {
        part& p = m_parts.emplace_back();
        p.deep_copy_from(whole);
        p.set_data_ptr(whole.get_data_ptr() + piece.offset);
        p.set_data_length(piece.bytes);
        p.set_streaming_width(piece.bytes);
        if (whole.get_byte_enable_ptr() == nullptr) continue;
        for (unsigned k = 0; k < piece.bytes; ++k)
            p.enables.push_back(whole.get_byte_enable_ptr()[(piece.offset + k) % pattern]);
        p.set_byte_enable_ptr(p.enables.data());
        p.set_byte_enable_length(piece.bytes);
    }
}

bool split_access::settle(const tlm::tlm_generic_payload& p, memory_port* at, const access_times& times) {
    if (m_status == tlm::TLM_OK_RESPONSE) m_status = p.get_response_status();
    if (times.response_arrived >= m_times.response_arrived) {
        m_times = times;
        m_memory = at;
    }
    return --m_open == 0;
}

bool split_access::settle(memory_access& a) {
    if (a.original != nullptr) a.bring_back();
    m_packets.insert(m_packets.end(), a.packets.begin(), a.packets.end());
    const bool all = settle(a, a.to, a.times);
    if (!all) *std::find(m_accesses.begin(), m_accesses.end(), &a) = nullptr;
    return all;
}

const access_times& split_access::answer(const sc_core::sc_time& now) {
    m_times.end(now);
    m_whole->update_extensions_from(m_parts.back());
    m_whole->set_response_status(m_status);
    m_whole->set_dmi_allowed(false);
    tell_times(*m_whole, m_times);
    return m_times;
}

}  // namespace sare
