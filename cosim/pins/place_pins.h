// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_library.h"

/// What the modules of rtl/ know of the network: where they stand, and headers as they have them on their
/// pins.
namespace sare::cosim {

/// Bits of flit_ways.
inline std::uint32_t way_bits(const router_setting& s) {
    return 2 * (s.table ? 2 : s.dims());
}
/// flit_dest: the local port and the coordinates, or a node's number.
std::uint64_t destination_pins(const router_setting& s, const route_header& h);
/// flit_ways: the two bits a dimension that the source has set; a network without rings has no use for them.
std::uint32_t way_pins(const router_setting& s, const route_header& h);
/// Drives here_i and last_i, or writes the table of ports at this router (`ahead`: at the next one), a clock
/// a destination.
void set_place(rtl_instance& rtl, const router_setting& s, const routing_context& around, bool ahead);
/// One clock: clk_i low, then high.
void tick(rtl_instance& rtl, rtl_pin& clock);
/// rst_ni low, for one clock, and low it stays. Tables are written in reset, so that the first clock after it
/// is that of the network's first cycle, as a wavefront allocator counts.
void reset(rtl_instance& rtl);
/// rst_ni high.
void end_reset(rtl_instance& rtl);

}  // namespace sare::cosim
