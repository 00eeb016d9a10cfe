// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/atomic/atomic_steps.h"

namespace sare {

atomic_steps::atomic_steps(tlm::tlm_generic_payload& p)
    : m_payload(p),
      m_what(*p.get_extension<atomic_access>()),
      m_operand(p.get_data_ptr()),
      m_length(p.get_data_length()),
      m_width(p.get_streaming_width()) {
    const std::uint32_t bytes = value_bytes(m_what, p);
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_data_ptr(m_value.data());
    p.set_data_length(bytes);
    p.set_streaming_width(bytes);
    p.clear_extension(&m_what);
}

atomic_steps::~atomic_steps() {
    m_payload.set_command(tlm::TLM_WRITE_COMMAND);
    m_payload.set_data_ptr(m_operand);
    m_payload.set_data_length(m_length);
    m_payload.set_streaming_width(m_width);
    m_payload.set_extension(&m_what);
}

bool atomic_steps::write() {
    if (!m_payload.is_response_ok()) return false;
    m_what.before = m_value;
    m_what.apply(m_value.data(), m_operand, m_payload.get_data_length());
    m_payload.set_command(tlm::TLM_WRITE_COMMAND);
    m_payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return m_writes = true;
}

}  // namespace sare
