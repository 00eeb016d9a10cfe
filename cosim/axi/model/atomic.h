// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <optional>
#include <string>

/// Functions on AXI5's atomic transactions at the pins: writes with a code in AWATOP (address::atop), of
/// which all but AtomicStore also return data on the read channel.
namespace sare::axi {

/// Returns true if `a` is an AtomicLoad, AtomicSwap or AtomicCompare, whose old value comes on the read
/// channel with the ID of `a`.
inline bool fetches(const address& a) {
    return (a.atop & 0x20) != 0;
}
/// Returns true if `a` is an AtomicCompare (AWATOP 0x31).
inline bool compares(const address& a) {
    return a.atop == 0x31;
}
/// Returns the number of bytes of data that atomic transaction `a` sends; a compare sends two values.
inline std::uint32_t operand_bytes(const address& a) {
    return a.beats() << a.size;
}
/// Returns the number of bytes of the value in memory that atomic transaction `a` changes.
inline std::uint32_t value_bytes(const address& a) {
    return compares(a) ? operand_bytes(a) / 2 : operand_bytes(a);
}
/// Returns true if `a` is a compare whose data have the new value in the lower half and the value to compare
/// with in the upper half. Returns false for the reverse order, and for other operations.
inline bool is_upper_half(const address& a) {
    return compares(a) && a.addr % operand_bytes(a) != 0;
}

/// Returns the burst that has the beats and byte lanes of the data that atomic transaction `a` sends; `a`
/// itself if it is not atomic.
address operand_of(const address& a);
/// Returns the burst in which atomic transaction `a` gets the old value on the read channel; `a` itself if it
/// is not atomic.
address value_of(const address& a);
/// Returns the operation that AWATOP of `a` names; nothing for a code that names none, and for 0.
std::optional<atomic_access> atomic_of(const address& a);
/// Returns the first reason, as a text, why AXI5 forbids atomic transaction `a` on a bus of `bus_bytes`
/// bytes; empty if it is allowed. A transaction that is not atomic is forbidden, too.
std::string wrong_with_atomic(const address& a, std::uint32_t bus_bytes);

}  // namespace sare::axi
