// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/chi.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <algorithm>

namespace sare::chi {

/// @name Atomic accesses as requests: the opcode is the operation, Size the length of the operand
/// @{
/// Returns the opcode of a request for the operation, which must be one of atomic_operation (not checked).
inline req opcode_of(const atomic_access& a) {
    if (a.operation == atomic_operation::swap) return req::atomic_swap;
    if (a.operation == atomic_operation::compare) return req::atomic_compare;
    return static_cast<req>(static_cast<std::uint8_t>(a.fetches ? req::atomic_load : req::atomic_store) +
                            static_cast<std::uint8_t>(a.operation));
}
/// Returns Size, log2 of the operand's bytes, for a value of `value_bytes` bytes, a power of 2; the operand
/// of a compare is two values.
inline std::uint8_t size_of(const atomic_access& a, std::uint32_t value_bytes) {
    std::uint8_t size = a.operation == atomic_operation::compare ? 1 : 0;
    while (value_bytes >>= 1) ++size;
    return size;
}
/// Returns the operation of an atomic request (is_atomic(f), not checked); the result's `before`, the old
/// value, is not set.
inline atomic_access operation_of(const flit& f) {
    atomic_access a;
    a.fetches = fetches(f);
    a.big_endian = f.big_endian;
    a.operation = f.is(req::atomic_swap)      ? atomic_operation::swap
                  : f.is(req::atomic_compare) ? atomic_operation::compare
                                              : static_cast<atomic_operation>(f.opcode & 7);
    return a;
}
/// Returns the number of bytes of the value that an atomic request changes.
inline std::uint32_t value_bytes(const flit& f) {
    return (1U << std::min<unsigned>(f.size, 6)) / (f.is(req::atomic_compare) ? 2 : 1);
}
/// True if the Size of an atomic request is allowed (values of up to 8 bytes, 16 for a compare), and its
/// address is aligned to the value.
inline bool fits(const flit& f) {
    const bool compare = f.is(req::atomic_compare);
    return f.size <= (compare ? 5 : 3) && f.size >= (compare ? 1 : 0) && f.address % value_bytes(f) == 0;
}
/// @}

/// Returns the index in the line of the value to swap in, for a compare whose expected value of `bytes` bytes
/// is at index `at`: the other half of the aligned 2 * `bytes` bytes around both.
inline std::uint64_t swapped_place(std::uint64_t at, std::uint32_t bytes) {
    return at ^ bytes;
}

}  // namespace sare::chi
