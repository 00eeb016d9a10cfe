// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access_options.h"

#include <cstdint>
#include <tlm>
#include <utility>

namespace sare {

/// Sets a payload's address, data length and data pointer within its scope; the destructor restores them.
class scoped_address {
  public:
    /// Sets `payload`, which must outlive this object, to `address` and to `length` bytes from byte `from` of
    /// its data on.
    scoped_address(tlm::tlm_generic_payload& payload, std::uint64_t address, unsigned length,
                   unsigned from = 0)
        : m_payload(payload),
          m_address(payload.get_address()),
          m_data(payload.get_data_ptr()),
          m_length(payload.get_data_length()) {
        payload.set_address(address);
        payload.set_data_length(length);
        if (m_data != nullptr) payload.set_data_ptr(m_data + from);
    }
    ~scoped_address() {
        m_payload.set_address(m_address);
        m_payload.set_data_ptr(m_data);
        m_payload.set_data_length(m_length);
    }
    scoped_address(const scoped_address&) = delete;
    scoped_address& operator=(const scoped_address&) = delete;

  private:
    tlm::tlm_generic_payload& m_payload;
    const std::uint64_t m_address;
    unsigned char* const m_data;
    const unsigned m_length;
};

/// Makes a payload ask for the default message classes within its scope, as the memory may forward it into
/// another network; the destructor restores the payload's classes. Does nothing without access_options.
class scoped_classes {
  public:
    /// Sets the classes of `payload`, which must outlive this object.
    explicit scoped_classes(tlm::tlm_generic_payload& payload) : m_payload(payload) {
        if (auto* options = payload.get_extension<access_options>()) swap(*options);
    }
    ~scoped_classes() {
        if (auto* options = m_payload.get_extension<access_options>()) swap(*options);
    }
    scoped_classes(const scoped_classes&) = delete;
    scoped_classes& operator=(const scoped_classes&) = delete;

  private:
    void swap(access_options& options) {
        std::swap(options.request_class, m_request);
        std::swap(options.response_class, m_response);
    }

    tlm::tlm_generic_payload& m_payload;
    std::uint32_t m_request = 0, m_response = access_options::last;
};

}  // namespace sare
