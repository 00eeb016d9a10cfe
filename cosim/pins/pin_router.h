// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/pool.h"

#include <cstdint>
#include <vector>

/// One router at its pins, a cycle at a time: the model's, or RTL. Flits and credits that come in are used in
/// the same cycle; flits and credits that go out are on the link at the end of the cycle. A set of VCs is a
/// mask, VC 0 in bit 0.
namespace sare::cosim {

/// Input port and virtual channel of a packet.
struct input_channel {
    std::uint32_t port = 0, vc = 0;
};

/// A packet with at least one flit in the router, or on its way in.
struct carried_packet {
    route_header route;
    std::uint32_t flits = 1;  ///< length in flits
    std::uint32_t outer = 0;  ///< number of the packet outside of the router, if the caller needs one
    std::uint64_t uid = 0;    ///< number that no other packet of the run has
    input_channel in;         ///< input on which its head arrives
};

/// Packets by the numbers that flits in a router carry (flit::packet). A number is free when the tail has
/// left.
using packet_table = pool<carried_packet>;

/// Flit and credits that come in at a port in one cycle.
struct port_in {
    bool valid = false;         ///< there is a flit
    flit what;                  ///< the flit; its `packet` is a number in the packet_table
    std::uint32_t credits = 0;  ///< VCs of the output that get a credit, for a flit that was sent
};

/// Header of an outgoing head flit: fields that the router does not drive are `nothing` (`vcs`: 0).
struct header_fields {
    static constexpr std::uint32_t nothing = ~0u;
    std::uint32_t destination = nothing;  ///< destination node
    std::uint32_t port = nothing;         ///< look-ahead: output port at the router that comes next
    std::uint32_t vcs = 0;                ///< look-ahead: VCs allowed at that output port
};

/// Flit and credits that go out at a port in one cycle.
struct port_out {
    bool valid = false;         ///< there is a flit
    flit what;                  ///< the flit; its `packet` is a number in the packet_table
    header_fields header;       ///< header of a head flit
    std::uint32_t credits = 0;  ///< VCs of the input that have a free place again
};

/// A router that is run a cycle at a time.
class pin_router {
  public:
    virtual ~pin_router() = default;
    /// Runs cycle `t`; the first cycle is number 1. `in` and `out` have one element for each port. Throws an
    /// exception for an error of the router.
    virtual void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) = 0;
    /// Runs `final` blocks of RTL, after the last cycle. Throws as cycle() does.
    virtual void finish() {}
};

}  // namespace sare::cosim
