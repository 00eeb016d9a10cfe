// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_library.h"

/// Values of the pins by which modules in rtl/ know their place in the network and get headers of packets,
/// and their clock and reset. A pin that the module lacks is rtl_error (rtl_library.h).
namespace sare::cosim {

/// Returns the number of bits of the pin flit_ways (way_pins()) of one port: two for each dimension, or 4 for
/// routing by table.
inline std::uint32_t way_bits(const router_setting& s) {
    return 2 * (s.table ? 2 : s.dims());
}
/// Returns the value of the pin flit_dest for a header. Routing by table: the number of the destination node,
/// or for a packet to all targets of its source, s.nodes / 2 more. Dimension order: the coordinates of the
/// node's router, dimension 0 in the lowest bits, and above them the router's port of the node.
std::uint64_t destination_pins(const router_setting& s, const route_header& h);
/// Returns the value of the pin flit_ways for a header, which routing has set at the source. It has two bits
/// for each dimension, from the lowest: bit 0: goes in the - direction; bit 1: crosses the wrap link. 0 in a
/// network without rings, and for routing by table.
std::uint32_t way_pins(const router_setting& s, const route_header& h);
/// Tells the RTL its place, which `around` describes: sets the pins here_i and last_i or, for routing by
/// table, writes the output port for each destination, with one clock each. `ahead`: true: the table gets the
/// ports of the router that this one leads to (look-ahead), not its own; no effect without a table.
void set_place(rtl_instance& rtl, const router_setting& s, const routing_context& around, bool ahead);
/// Runs one clock: evaluates the module with its clock pin `clock` low, then high. Throws rtl_error if an
/// assertion fails.
void tick(rtl_instance& rtl, rtl_pin& clock);
/// Begins a reset: sets rst_ni low and runs one clock. Tables must be written before end_reset(), so that the
/// first clock after that belongs to the network's first cycle (a wavefront allocator counts clocks).
void reset(rtl_instance& rtl);
/// Ends a reset: sets rst_ni high; runs no clock.
void end_reset(rtl_instance& rtl);

}  // namespace sare::cosim
