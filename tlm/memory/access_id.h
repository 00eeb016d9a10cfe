// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <tlm>

namespace sare {

/// Which of its initiator's orders an access is part of, as AXI's ID: accesses of one ID are done and
/// answered in order, those of different IDs are not ordered. An extension that may be ignored; without it
/// the ID is 0.
struct access_id final : tlm::tlm_extension<access_id> {
    explicit access_id(std::uint32_t id = 0) : value(id) {}
    tlm::tlm_extension_base* clone() const override { return new access_id(value); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        value = static_cast<const access_id&>(other).value;
    }

    std::uint32_t value;
};

/// That of an access, with or without the extension.
inline std::uint32_t id_of(const tlm::tlm_generic_payload& p) {
    const access_id* id = p.get_extension<access_id>();
    return id == nullptr ? 0 : id->value;
}

}  // namespace sare
