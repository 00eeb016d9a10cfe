// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <tlm>

namespace sare {

/// Operations of atomic accesses (AXI5, CHI): the new value in memory as a function of old value and operand.
enum class atomic_operation : std::uint8_t {
    add,           ///< sum of value and operand, modulo 2^bits
    clear,         ///< value without the bits that are set in the operand
    exclusive_or,  ///< exclusive or of value and operand
    set,           ///< value with the bits set that are set in the operand
    signed_max,    ///< larger one of value and operand, as signed numbers
    signed_min,    ///< smaller one, as signed numbers
    unsigned_max,  ///< larger one, as unsigned numbers
    unsigned_min,  ///< smaller one, as unsigned numbers
    swap,          ///< operand
    compare        ///< second half of the operand if the first half equals the value; else the value
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
    /// Most bytes of a value for `compare`; for other operations 8.
    static constexpr std::uint32_t most_bytes = 16;

    tlm::tlm_extension_base* clone() const override { return new atomic_access(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const atomic_access&>(other);
    }

    atomic_operation operation = atomic_operation::add;  ///< operation on the value
    /// True: the old value is returned (AtomicLoad); false: it is not (AtomicStore). swap and compare always
    /// return it.
    bool fetches = true;
    bool big_endian = false;  ///< byte order of numbers, for add, minimum and maximum; false: little-endian
    std::array<unsigned char, most_bytes> before{};  ///< set by the memory: the old value, in its first bytes

    /// Replaces the `bytes` bytes at `value` by the result of the operation. `operand`: points to as many
    /// bytes, for compare to twice as many. `bytes`: 1, 2, 4 or 8, for compare also 16 (not checked).
    void apply(unsigned char* value, const unsigned char* operand, std::uint32_t bytes) const;
    /// Returns the value of AXI5's signal AWATOP for the operation.
    std::uint8_t awatop() const;
};

/// Returns the atomic_access of `p`; null if `p` has none.
inline const atomic_access* atomic_of(const tlm::tlm_generic_payload& p) {
    return p.get_extension<atomic_access>();
}
/// Returns the number of bytes of the value at an atomic access's address: the data length, half of it for
/// compare.
std::uint32_t value_bytes(const atomic_access& a, const tlm::tlm_generic_payload& p);
/// Returns the number of data bytes of the response: the length of a read, or the value that an atomic access
/// returns; else 0.
std::uint32_t response_bytes(const tlm::tlm_generic_payload& p);
/// Returns the reason why `p` with extension `a` is no valid atomic access, on one line; "" if it is valid.
std::string wrong_with(const atomic_access& a, const tlm::tlm_generic_payload& p);

}  // namespace sare
