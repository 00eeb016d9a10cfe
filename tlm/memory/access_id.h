// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <tlm>

namespace sare {

/// ID of an access, as in AXI: accesses of one initiator and ID are done and answered in order, accesses with
/// different IDs in any order. An extension that targets may ignore; without it the ID is 0.
struct access_id final : tlm::tlm_extension<access_id> {
    /// Makes the extension for an ID.
    explicit access_id(std::uint32_t id = 0) : value(id) {}
    tlm::tlm_extension_base* clone() const override { return new access_id(value); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        value = static_cast<const access_id&>(other).value;
    }

    std::uint32_t value;  ///< the ID
};

/// Returns the ID of an access; 0 without the extension.
inline std::uint32_t id_of(const tlm::tlm_generic_payload& p) {
    const access_id* id = p.get_extension<access_id>();
    return id == nullptr ? 0 : id->value;
}

}  // namespace sare
