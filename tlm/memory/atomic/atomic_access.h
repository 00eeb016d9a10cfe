// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <tlm>

namespace sare {

/// What AXI5 and CHI can do to a value in memory.
enum class atomic_operation : std::uint8_t {
    add,
    clear,         ///< the bits that are set in the operand
    exclusive_or,  ///< with the operand
    set,           ///< the bits that are set in the operand
    signed_max,
    signed_min,
    unsigned_max,
    unsigned_min,
    swap,
    compare  ///< and swap: the operand is two values, what is expected and what is then written
};

/// Makes a write atomic: the value at its address is replaced by a function of it and of the operand, the
/// data of the write, and no other access comes between. An extension, at the sockets of memory bridges, AXI4
/// bridges and CHI's caches; a target without it must not ignore it.
///
///     sare::atomic_access count;         // fetch and add
///     payload.set_command(tlm::TLM_WRITE_COMMAND);
///     payload.set_extension(&count);     // the operand is the data
///     socket->b_transport(payload, delay);
///     count.before;                      // what was there
struct atomic_access final : tlm::tlm_extension<atomic_access> {
    static constexpr std::uint32_t most_bytes = 16;  ///< of a value that is compared; of others 8

    tlm::tlm_extension_base* clone() const override { return new atomic_access(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const atomic_access&>(other);
    }

    atomic_operation operation = atomic_operation::add;
    bool fetches = true;      ///< AtomicLoad; else AtomicStore. Swap and compare always fetch
    bool big_endian = false;  ///< of add, minimum and maximum
    std::array<unsigned char, most_bytes> before{};  ///< comes back: the value that was there

    /// What it becomes.
    void apply(unsigned char* value, const unsigned char* operand, std::uint32_t bytes) const;
    /// AWATOP, which CHI's opcodes have in their last bits, too.
    std::uint8_t awatop() const;
};

/// Null: `p` is not atomic.
inline const atomic_access* atomic_of(const tlm::tlm_generic_payload& p) {
    return p.get_extension<atomic_access>();
}
/// Of the value at an atomic access's address.
std::uint32_t value_bytes(const atomic_access& a, const tlm::tlm_generic_payload& p);
/// Data that come back: of a read, or the value of an atomic access that fetches it.
std::uint32_t response_bytes(const tlm::tlm_generic_payload& p);
/// Why `p` cannot be atomic; "": it can.
std::string wrong_with(const atomic_access& a, const tlm::tlm_generic_payload& p);

}  // namespace sare
