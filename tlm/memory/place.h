// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/memory_map.h"

namespace sare {

/// A payload with another address and length, for the time of a call.
class with_place {
  public:
    with_place(tlm::tlm_generic_payload& payload, std::uint64_t address, unsigned length)
        : m_payload(payload), m_address(payload.get_address()), m_length(payload.get_data_length()) {
        payload.set_address(address);
        payload.set_data_length(length);
    }
    ~with_place() {
        m_payload.set_address(m_address);
        m_payload.set_data_length(m_length);
    }
    with_place(const with_place&) = delete;
    with_place& operator=(const with_place&) = delete;

  private:
    tlm::tlm_generic_payload& m_payload;
    const std::uint64_t m_address;
    const unsigned m_length;
};

/// The range that has all that an access touches, with a memory behind it; else the status says why not.
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
