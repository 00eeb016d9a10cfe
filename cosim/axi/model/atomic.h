// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <optional>
#include <string>

/// Atomic transactions of AXI5 at pins: a write with AWATOP, whose response has data, too, if it fetches.
namespace sare::axi {

/// True for AtomicLoad, AtomicSwap and AtomicCompare: R of the same ID brings the old value.
inline bool fetches(const address& a) {
    return (a.atop & 0x20) != 0;
}
/// True for AtomicCompare.
inline bool compares(const address& a) {
    return a.atop == 0x31;
}
/// Returns the bytes of the data of an atomic transaction; a compare has two values as data.
inline std::uint32_t operand_bytes(const address& a) {
    return a.beats() << a.size;
}
/// Returns the bytes of the value in memory that an atomic transaction changes.
inline std::uint32_t value_bytes(const address& a) {
    return compares(a) ? operand_bytes(a) / 2 : operand_bytes(a);
}
/// True for a compare of the value in the operand's upper half; the lower half then has the new value.
inline bool is_upper_half(const address& a) {
    return compares(a) && a.addr % operand_bytes(a) != 0;
}

/// Returns the burst with the beats and lanes of the data of an atomic transaction.
address operand_of(const address& a);
/// Returns the burst of R by which an atomic transaction brings the old value; `a` itself if it is not
/// atomic.
address value_of(const address& a);
/// Returns the operation in AWATOP; nothing for a code without one.
std::optional<atomic_access> atomic_of(const address& a);
/// Returns why an atomic transaction is not allowed on a bus of `bus_bytes` bytes; "" if it is.
std::string wrong_with_atomic(const address& a, std::uint32_t bus_bytes);

}  // namespace sare::axi
