// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <tlm>

namespace sare {

/// Extension by which an initiator chooses the message classes of an access, or makes it exclusive. Targets
/// that are not bridges may ignore it.
struct access_options final : tlm::tlm_extension<access_options> {
    static constexpr std::uint32_t last = ~std::uint32_t{0};  ///< as a class: the network's last one

    tlm::tlm_extension_base* clone() const override { return new access_options(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const access_options&>(other);
    }

    /// Message class of the request. A class that the network does not have, here or for the response, is
    /// reported as "/sare/memory", and the access ends with TLM_GENERIC_ERROR_RESPONSE.
    std::uint32_t request_class = 0;
    std::uint32_t response_class = last;  ///< message class of the response
    /// Number, unique in the network, of the agent (such as a processor) that makes exclusive accesses.
    std::uint64_t agent = 0;
    bool exclusive = false;  ///< true: an exclusive read or write (exclusive_monitor)
    /// Result of an exclusive access, set at the memory. True: the reservation was made, or the write was
    /// done; false: the write was not done, though the response status is TLM_OK_RESPONSE.
    bool exclusive_done = false;
};

}  // namespace sare
