// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/memory_map.h"

namespace sare {

/// Sets the address and length of a payload for its scope, then restores them.
class scoped_address {
  public:
    scoped_address(tlm::tlm_generic_payload& payload, std::uint64_t address, unsigned length)
        : m_payload(payload), m_address(payload.get_address()), m_length(payload.get_data_length()) {
        payload.set_address(address);
        payload.set_data_length(length);
    }
    ~scoped_address() {
        m_payload.set_address(m_address);
        m_payload.set_data_length(m_length);
    }
    scoped_address(const scoped_address&) = delete;
    scoped_address& operator=(const scoped_address&) = delete;

  private:
    tlm::tlm_generic_payload& m_payload;
    const std::uint64_t m_address;
    const unsigned m_length;
};

/// The range that contains the whole access and has a memory; else null, and the response status says why.
inline const address_range* route(const memory_map& map, tlm::tlm_generic_payload& p) {
    if (const auto status = check_attributes(p); status != tlm::TLM_OK_RESPONSE) {
        p.set_response_status(status);
        return nullptr;
    }
    const address_range* range = map.find(p.get_address());
    if (range != nullptr && extent_of(p) <= range->bytes_from(p.get_address()) &&
        map.memory_of(*range) != nullptr)
        return range;
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return nullptr;
}

}  // namespace sare
