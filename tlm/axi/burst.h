// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/axi.h"

#include <string>
#include <vector>

namespace sare::axi {

/// Throws std::out_of_range for a bus width that AXI4 does not have: it has 1, 2, 4 ... 128 bytes. The
/// functions below do the same, if they have `bus_bytes`.
void check_bus(std::uint32_t bus_bytes);
/// Returns the extension of a payload; without one, that of an INCR burst of ID 0 in full beats of the bus.
extension extension_of(const tlm::tlm_generic_payload& p, std::uint32_t bus_bytes);
/// Returns the bytes of data of a burst from `address` on; 0 if its beats are too wide for AXI4.
std::uint32_t bytes_of(const extension& e, std::uint64_t address);
/// Returns the AXI4 rule for bursts that a burst breaks on a bus of `bus_bytes`; "" if it breaks none.
std::string wrong_with(const extension& e, const tlm::tlm_generic_payload& p, std::uint32_t bus_bytes);
/// A burst, or the part of one that goes to a narrower bus at a time.
struct burst_part {
    extension e;                          ///< fields of the part: type, beats, size, ...
    std::uint64_t address = 0;            ///< AxADDR of the part
    std::uint32_t offset = 0, bytes = 0;  ///< first byte within the access's data, and number of bytes
};
/// Returns the bursts for an access of any length and alignment: INCR bursts of up to 256 beats, none across
/// 4 KiB, as wide as the bus, with narrower ones for an unaligned end. `e`: what they have in common.
/// Streaming data, FIXED bursts too, go a streaming width at a time; empty if the width is 0.
std::vector<burst_part> parts_of(const extension& e, const tlm::tlm_generic_payload& p,
                                 std::uint32_t bus_bytes);
/// Returns the lowest address of a burst; of WRAP that is the boundary.
std::uint64_t lowest_address(const extension& e, std::uint64_t address);

}  // namespace sare::axi
