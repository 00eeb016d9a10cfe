// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/pool.h"

#include <cstdint>
#include <vector>

/// One router at its pins, cycle by cycle: the model's, or RTL. Flits and credits that come in are used in
/// the same cycle; flits and credits that go out are on the link at the end of the cycle. A set of VCs is a
/// mask with VC 0 in bit 0.
namespace sare::cosim {

/// Input port and input VC of a packet.
struct input_channel {
    std::uint32_t port = 0, vc = 0;
};

/// A packet with flits in the router or on their way into it.
struct carried_packet {
    /// Routing header: source, destination and state of the routing function.
    route_header route;
    std::uint32_t flits = 1;  ///< number of flits of the packet
    std::uint32_t outer = 0;  ///< number that the caller has for the packet outside of the router; 0 if it
                              ///< needs none
    std::uint64_t uid = 0;    ///< number that no other packet of the run has
    input_channel in;         ///< input port and VC at which its head arrives
    /// Number of branches (copies, one for each output port; 1 unless the packet forks) whose head, and
    /// number of those whose tail, has not left the router yet.
    std::uint32_t heads = 1, tails = 1;
};

/// Table of the packets in a router, by the numbers that their flits carry (flit::packet). A number becomes
/// free when the tail has left by all branches.
using packet_table = pool<carried_packet>;

/// The flit and the credits that come in at a port in one cycle.
struct port_in {
    bool valid = false;         ///< true: there is a flit
    flit what;                  ///< the flit, if `valid`; its `packet` is a number in the packet_table
    std::uint32_t credits = 0;  ///< VCs of the output port that get a credit, for a flit that has left before
};

/// The header of a head flit that goes out; fields that the router does not drive are `nothing` (`vcs`: 0).
struct header_fields {
    static constexpr std::uint32_t nothing = ~0u;  ///< value of a field that is not driven
    std::uint32_t destination = nothing;           ///< destination node
    std::uint32_t port = nothing;  ///< look-ahead: output port at the router that the flit goes to
    std::uint32_t vcs = 0;         ///< look-ahead: VCs allowed at that output port, as a mask
};

/// The flit and the credits that go out at a port in one cycle.
struct port_out {
    bool valid = false;         ///< true: there is a flit
    flit what;                  ///< the flit, if `valid`; its `packet` is a number in the packet_table
    header_fields header;       ///< header, if the flit is a head
    std::uint32_t credits = 0;  ///< VCs of the input port that get a credit, as a place of their buffer is
                                ///< free again
};

/// A router that is run cycle by cycle.
class pin_router {
  public:
    virtual ~pin_router() = default;
    /// Runs cycle `t`; cycles count from 1 and must not be left out. `in` and `out` have an element for each
    /// port; all elements of `out` are overwritten. Throws an exception (violation, rtl_error) for an error
    /// of the router.
    virtual void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) = 0;
    /// Runs the `final` blocks of the RTL; call after the last cycle. Throws an exception (violation,
    /// rtl_error) if one reports an error.
    virtual void finish() {}
};

}  // namespace sare::cosim
