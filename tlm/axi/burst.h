// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/axi.h"

#include <string>
#include <vector>

namespace sare::axi {

/// Throws std::out_of_range for a bus that AXI4 does not have: 1, 2, 4 ... 128 bytes. So do the functions
/// below that are told of one.
void check_bus(std::uint32_t bus_bytes);
/// The extension of a payload; without one it is an INCR burst of ID 0 in full beats of the bus.
extension extension_of(const tlm::tlm_generic_payload& p, std::uint32_t bus_bytes);
/// Bytes of a burst from `address` on: those that a payload's data has. 0 of beats that are too wide for
/// AXI4.
std::uint32_t bytes_of(const extension& e, std::uint64_t address);
/// What of AXI4's rules for bursts it breaks, on a bus so many bytes wide; "": none.
std::string wrong_with(const extension& e, const tlm::tlm_generic_payload& p, std::uint32_t bus_bytes);
/// A burst, or what of one goes to a narrower bus at a time.
struct burst_part {
    extension e;
    std::uint64_t address = 0;
    std::uint32_t offset = 0, bytes = 0;  ///< of the data
};
/// What an access of any length and alignment is on a bus: INCR bursts of up to 256 beats, none across 4 KiB,
/// as wide as the bus (an end that is not at a whole beat has narrower ones). `e`: what they have in common.
/// What streams (FIXED, too) goes a streaming width at a time; nothing, where that is 0.
std::vector<burst_part> parts_of(const extension& e, const tlm::tlm_generic_payload& p,
                                 std::uint32_t bus_bytes);
/// The lowest address of a burst: of WRAP the boundary.
std::uint64_t lowest_address(const extension& e, std::uint64_t address);

}  // namespace sare::axi
