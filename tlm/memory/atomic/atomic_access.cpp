// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/atomic/atomic_access.h"

#include <algorithm>
#include <cstring>

namespace sare {
namespace {

using operation = atomic_operation;

bool has_number(operation o) {
    return o == operation::add || (o >= operation::signed_max && o <= operation::unsigned_min);
}

/// Returns the number that up to 8 bytes are.
std::uint64_t number_of(const unsigned char* bytes, std::uint32_t count, bool big_endian) {
    std::uint64_t x = 0;
    for (std::uint32_t k = 0; k < count; ++k)
        x |= std::uint64_t{bytes[big_endian ? count - 1 - k : k]} << 8 * k;
    return x;
}

void put_number(std::uint64_t x, unsigned char* bytes, std::uint32_t count, bool big_endian) {
    for (std::uint32_t k = 0; k < count; ++k)
        bytes[big_endian ? count - 1 - k : k] = static_cast<unsigned char>(x >> 8 * k);
}

std::uint64_t result(operation o, std::uint64_t value, std::uint64_t operand, std::uint32_t bits) {
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    const bool is_signed = o == operation::signed_max || o == operation::signed_min;
    const bool less = is_signed ? (value ^ sign) < (operand ^ sign) : value < operand;
    switch (o) {
        case operation::add:
            return value + operand;
        case operation::clear:
            return value & ~operand;
        case operation::exclusive_or:
            return value ^ operand;
        case operation::set:
            return value | operand;
        case operation::signed_max:
        case operation::unsigned_max:
            return less ? operand : value;
        case operation::signed_min:
        case operation::unsigned_min:
            return less ? value : operand;
        default:
            return operand;
    }
}

}  // namespace

void atomic_access::apply(unsigned char* value, const unsigned char* operand, std::uint32_t bytes) const {
    if (operation == operation::compare) {
        if (std::memcmp(value, operand, bytes) == 0) std::copy_n(operand + bytes, bytes, value);
        return;
    }
    const bool reversed = big_endian && has_number(operation);
    put_number(
        result(operation, number_of(value, bytes, reversed), number_of(operand, bytes, reversed), 8 * bytes),
        value, bytes, reversed);
}

std::uint8_t atomic_access::awatop() const {
    if (operation == operation::swap) return 0x30;
    if (operation == operation::compare) return 0x31;
    return static_cast<std::uint8_t>((fetches ? 0x20 : 0x10) | (big_endian && has_number(operation) ? 8 : 0) |
                                     static_cast<unsigned>(operation));
}

std::uint32_t value_bytes(const atomic_access& a, const tlm::tlm_generic_payload& p) {
    return a.operation == operation::compare ? p.get_data_length() / 2 : p.get_data_length();
}

std::uint32_t response_bytes(const tlm::tlm_generic_payload& p) {
    if (p.is_read()) return p.get_data_length();
    const atomic_access* a = atomic_of(p);
    return a == nullptr || (!a->fetches && a->operation < operation::swap) ? 0 : value_bytes(*a, p);
}

std::string wrong_with(const atomic_access& a, const tlm::tlm_generic_payload& p) {
    const std::uint32_t bytes = value_bytes(a, p);
    const std::uint32_t most = a.operation == operation::compare ? atomic_access::most_bytes : 8;
    if (!p.is_write()) return "an atomic access is a write";
    if (a.operation > operation::compare) return "an atomic access of no operation";
    if (bytes == 0 || bytes > most || (bytes & (bytes - 1)) != 0)
        return "an atomic access is of 1, 2, 4 or 8 bytes, a compare of up to 16 and as many to swap";
    if (p.get_address() % bytes != 0) return "an atomic access is aligned to its value";
    if (p.get_byte_enable_ptr() != nullptr || p.get_streaming_width() < p.get_data_length())
        return "an atomic access has no byte enables and no streaming width";
    return "";
}

}  // namespace sare
