// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/packet.h"

#include <cstdint>
#include <vector>

/// One router at its pins, a cycle at a time: the model's, or RTL. What comes in is used in the same cycle;
/// what goes out is on the link at the end of it.
namespace sare::cosim {

/// A packet of which a flit is in the router, or on its way in.
struct carried_packet {
    route_header route;
    std::uint32_t flits = 1;
    std::uint32_t outer = 0;  ///< its number outside, for whoever needs it
    std::uint64_t uid = 0;    ///< no two packets share one
};

/// Packets by the numbers that the flits of a block carry: a number is free again when the tail has left.
using packet_table = pool<carried_packet>;

struct port_in {
    bool valid = false;
    flit what;                  ///< packet: of the packet_table
    std::uint32_t credits = 0;  ///< VCs, a bit each, that get a credit for what was sent
};

struct port_out {
    bool valid = false;
    flit what;
    std::uint32_t credits = 0;  ///< VCs, a bit each, with a place that is free again
};

class router_block {
  public:
    virtual ~router_block() = default;
    /// Once a cycle, the first of which is number 1. Both vectors have an element a port.
    virtual void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) = 0;
};

}  // namespace sare::cosim
