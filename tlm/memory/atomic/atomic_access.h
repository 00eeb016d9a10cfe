// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <tlm>

namespace sare {

/// The effect of an atomic access of AXI5 or CHI on a value in memory.
enum class atomic_operation : std::uint8_t {
    add,
    clear,         ///< clears the bits that are set in the operand
    exclusive_or,  ///< exclusive or with the operand
    set,           ///< sets the bits that are set in the operand
    signed_max,
    signed_min,
    unsigned_max,
    unsigned_min,
    swap,
    compare  ///< compare and swap: the operand is two values, the expected one, then the new one
};

/// Makes a write atomic: the value at its address is replaced by a function of that value and of the write's
/// data, the operand, and no other access comes between. An extension for the sockets of memory bridges, AXI4
/// bridges and CHI caches; a target that does not know it must not ignore it.
///
///     sare::atomic_access count;         // fetch and add
///     payload.set_command(tlm::TLM_WRITE_COMMAND);
///     payload.set_extension(&count);     // the operand is the data
///     socket->b_transport(payload, delay);
///     count.before;                      // what was there
struct atomic_access final : tlm::tlm_extension<atomic_access> {
    static constexpr std::uint32_t most_bytes = 16;  ///< longest value of a comparison; of others 8

    tlm::tlm_extension_base* clone() const override { return new atomic_access(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const atomic_access&>(other);
    }

    atomic_operation operation = atomic_operation::add;
    bool fetches = true;      ///< true: AtomicLoad; false: AtomicStore. Swap and compare always fetch
    bool big_endian = false;  ///< byte order for add, minimum and maximum
    std::array<unsigned char, most_bytes> before{};  ///< set by the memory: the old value

    /// Replaces the value of `bytes` bytes by the result. A comparison's operand is twice as long.
    void apply(unsigned char* value, const unsigned char* operand, std::uint32_t bytes) const;
    /// Returns AWATOP, whose bits CHI's opcodes end with, too.
    std::uint8_t awatop() const;
};

/// Returns the extension of `p`; null if `p` is not atomic.
inline const atomic_access* atomic_of(const tlm::tlm_generic_payload& p) {
    return p.get_extension<atomic_access>();
}
/// Number of bytes of the value at an atomic access's address.
std::uint32_t value_bytes(const atomic_access& a, const tlm::tlm_generic_payload& p);
/// Number of data bytes that come back: of a read, or the value that an atomic access fetches; else 0.
std::uint32_t response_bytes(const tlm::tlm_generic_payload& p);
/// Returns why `p` cannot be atomic; "" if it can.
std::string wrong_with(const atomic_access& a, const tlm::tlm_generic_payload& p);

}  // namespace sare
