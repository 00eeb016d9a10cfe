// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/pool.h"

#include <cstdint>
#include <vector>

/// One router at its pins, a cycle at a time: the model's, or RTL. What comes in is used in the same cycle;
/// what goes out is on the link at the end of it.
namespace sare::cosim {

/// The input port and VC of a packet.
struct input_channel {
    std::uint32_t port = 0, vc = 0;
};

/// A packet of which a flit is in the router, or on its way in.
struct carried_packet {
    route_header route;
    std::uint32_t flits = 1;
    std::uint32_t outer = 0;  ///< its number outside, where that is needed
    std::uint64_t uid = 0;    ///< no two packets share one
    input_channel in;         ///< on which its head arrives
};

/// Packets by the numbers that the flits of a block carry: a number is free again when the tail has left.
using packet_table = pool<carried_packet>;

struct port_in {
    bool valid = false;
    flit what;                  ///< packet: of the packet_table
    std::uint32_t credits = 0;  ///< VCs, a bit each, that get a credit for what was sent
};

/// Header of an outgoing head flit: the fields that the router drives; the others are `nothing`.
struct header_fields {
    static constexpr std::uint32_t nothing = ~0u;
    std::uint32_t destination = nothing;  ///< node
    std::uint32_t port = nothing;         ///< look-ahead: at the router that comes next
    std::uint32_t vcs = 0;                ///< look-ahead: the same; 0: nothing
};

struct port_out {
    bool valid = false;
    flit what;
    header_fields header;
    std::uint32_t credits = 0;  ///< VCs, a bit each, with a place that is free again
};

class pin_router {
  public:
    virtual ~pin_router() = default;
    /// Once a cycle, the first of which is number 1. Both vectors have an element a port.
    virtual void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) = 0;
    /// After the last cycle: `final` blocks of RTL. Throws as cycle() does.
    virtual void finish() {}
};

}  // namespace sare::cosim
