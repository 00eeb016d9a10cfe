// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <optional>
#include <string>

/// Atomic transactions of AXI5 at pins: a write with AWATOP, whose response has data, too, where it fetches.
namespace sare::axi {

/// AtomicLoad, AtomicSwap and AtomicCompare: R of the same ID brings the value that was there.
inline bool fetches(const address& a) {
    return (a.atop & 0x20) != 0;
}
inline bool compares(const address& a) {
    return a.atop == 0x31;
}
/// All of its data, and what is in memory: of a compare half of them.
inline std::uint32_t operand_bytes(const address& a) {
    return a.beats() << a.size;
}
inline std::uint32_t value_bytes(const address& a) {
    return compares(a) ? operand_bytes(a) / 2 : operand_bytes(a);
}
/// Of a compare: the value has the upper half of the operand's place, and what is written in its stead stands
/// in the lower one.
inline bool is_upper_half(const address& a) {
    return compares(a) && a.addr % operand_bytes(a) != 0;
}

/// Which beats and lanes its data have.
address operand_of(const address& a);
/// The burst that brings the value; of what is not atomic it itself.
address value_of(const address& a);
/// What AWATOP says; nothing for a code of no operation.
std::optional<atomic_access> atomic_of(const address& a);
/// Why it cannot be, on a bus of so many bytes; "": it can.
std::string wrong_with_atomic(const address& a, std::uint32_t bus_bytes);

}  // namespace sare::axi
