// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_library.h"

/// Values for the pins by which modules of rtl/ know the network: their place in it, and headers of packets.
namespace sare::cosim {

/// Width in bits of the pin flit_ways.
inline std::uint32_t way_bits(const router_setting& s) {
    return 2 * (s.table ? 2 : s.dims());
}
/// Returns the value of flit_dest for a header: the destination's number, if routing is by table; else the
/// coordinates of its router, dimension 0 lowest, and above them the port of the node.
std::uint64_t destination_pins(const router_setting& s, const route_header& h);
/// Returns the value of flit_ways for a header: two bits a dimension, which routing set at the source; 0 in a
/// network without rings and for routing by table.
std::uint32_t way_pins(const router_setting& s, const route_header& h);
/// Tells an instance its place: drives here_i and last_i or, for routing by table, writes the output port for
/// each destination, one clock each. `ahead`: the ports are those of the router that comes next, not of this
/// one.
void set_place(rtl_instance& rtl, const router_setting& s, const routing_context& around, bool ahead);
/// Runs one clock: clk_i low, then high.
void tick(rtl_instance& rtl, rtl_pin& clock);
/// Begins a reset: sets rst_ni low and runs one clock. Tables are written before end_reset(), so that the
/// first clock after it belongs to the network's first cycle: a wavefront allocator counts clocks.
void reset(rtl_instance& rtl);
/// Ends a reset: sets rst_ni high.
void end_reset(rtl_instance& rtl);

}  // namespace sare::cosim
