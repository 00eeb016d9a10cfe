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

    /// Message class of the request. If the network lacks this class or the response's, the access ends with
    /// TLM_GENERIC_ERROR_RESPONSE. Then an SC_ERROR report "/sare/memory" is made, which throws by default.
    std::uint32_t request_class = 0;
    std::uint32_t response_class = last;  ///< message class of the response
    /// Number, unique in the network, of the agent (such as a processor) that makes exclusive accesses.
    std::uint64_t agent = 0;
    bool exclusive = false;  ///< true: an exclusive read or write (exclusive_monitor)
    /// Result of an exclusive access, set at the memory before its target is called: if true, look at the
    /// response status, too. True: the reservation was made, as for every read, or the write was passed on.
    /// False: the write was not done, though the status is TLM_OK_RESPONSE. An access that fails before it
    /// reaches the memory leaves the old value.
    bool exclusive_done = false;
};

}  // namespace sare
