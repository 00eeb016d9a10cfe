// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/axi.h"

#include <string>
#include <vector>

namespace sare::axi {

/// Throws std::out_of_range unless `bus_bytes` is a width that AXI4 has: 1, 2, 4, 8, 16, 32, 64 or 128 bytes.
/// extension_of() and parts_of() throw it, too.
void check_bus(std::uint32_t bus_bytes);
/// Returns a copy of the extension of a payload, unchecked. For a payload without one, returns an extension
/// for an INCR burst of ID 0 in full beats of a bus of `bus_bytes` bytes; for an atomic access, in beats as
/// wide as its data if these are narrower than the bus.
extension extension_of(const tlm::tlm_generic_payload& p, std::uint32_t bus_bytes);
/// Returns the number of bytes of data of a burst that begins at `address`. Bytes before an unaligned address
/// do not count in the first beat (FIXED: in each beat). 0 if its beats are wider than 128 bytes; other
/// fields are not checked.
std::uint32_t bytes_of(const extension& e, std::uint64_t address);
/// Returns the rule that a burst breaks on a bus of `bus_bytes` bytes, on one line; "" if it breaks none.
/// Rules are AXI4's rules for bursts, exclusive accesses and QoS; wrong_with() of an atomic access
/// (tlm/memory/atomic/atomic_access.h); and that data length and streaming width of the payload fit the
/// burst.
std::string wrong_with(const extension& e, const tlm::tlm_generic_payload& p, std::uint32_t bus_bytes);
/// A burst that carries a part of an access, on a bus that cannot carry all of it in one burst.
struct burst_part {
    extension e;                ///< fields of the part's burst
    std::uint64_t address = 0;  ///< AxADDR of the part
    /// Index of the part's first byte in the data of the access; number of bytes.
    std::uint32_t offset = 0, bytes = 0;
};
/// Returns the bursts that carry an access of any length and alignment, one after another: INCR bursts of up
/// to 256 beats, none across 4 KiB, with beats as wide as the bus, and narrower ones for an unaligned end.
/// None is exclusive; all other fields are copies from `e`. A streaming access goes one streaming width at a
/// time. Empty if the access has no bytes or its streaming width is 0.
std::vector<burst_part> parts_of(const extension& e, const tlm::tlm_generic_payload& p,
                                 std::uint32_t bus_bytes);
/// Returns the lowest address of a burst that begins at `address`: for a WRAP burst the boundary at which it
/// wraps, else (also if it has no beats) `address`.
std::uint64_t lowest_address(const extension& e, std::uint64_t address);

}  // namespace sare::axi
