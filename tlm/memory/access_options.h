// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <tlm>

namespace sare {

/// Message classes of an access, and whether it is exclusive: an extension that targets may ignore.
struct access_options final : tlm::tlm_extension<access_options> {
    static constexpr std::uint32_t last = ~std::uint32_t{0};  ///< as a class: the network's last one

    tlm::tlm_extension_base* clone() const override { return new access_options(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const access_options&>(other);
    }

    /// Message classes of the request and of the response. A class that the network does not have is reported
    /// as "/sare/memory", and the access ends with TLM_GENERIC_ERROR_RESPONSE.
    std::uint32_t request_class = 0;
    std::uint32_t response_class = last;
    std::uint64_t agent = 0;  ///< number, unique in the network, of who makes exclusive accesses
    bool exclusive = false;   ///< true: an exclusive read or write (exclusive_monitor)
    /// Set by the memory: true if a reservation was made, or an exclusive write was done.
    bool exclusive_done = false;
};

}  // namespace sare
