// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_adapter.h"
#include "cosim/pins/pin_router.h"

#include <memory>

namespace sare::cosim {

/// Converts between Sare's links, where the sender counts credits for each VC, and the flow control at the
/// pins of a router. One object serves all ports of a router. In each cycle the caller calls, once for each
/// port and in this order: arrived() and back(); sees(), if needed; offer(); came_back() and refused();
/// left(), if a flit leaves. The order is not checked. A set of VCs is a mask with VC 0 in bit 0.
class flow_kit {
  public:
    virtual ~flow_kit() = default;

    /// Takes the flit, and the VCs that get a credit, which the links bring to `port` in this cycle.
    virtual void arrived(std::uint32_t port, const port_in& in) = 0;
    /// Takes the VCs for which input `port` is ready, before offer(); called only for a router with
    /// router_facts::stable_offer and 2 VCs or more.
    virtual void sees(std::uint32_t port, std::uint32_t vcs) { (void)port, (void)vcs; }
    /// Returns the flit to be driven on the input pins of `port` in this cycle; null: none. Valid until
    /// came_back().
    virtual const flit* offer(std::uint32_t port) = 0;
    /// Returns the VCs to be driven on the flow control pins of output `port`: those that get a credit
    /// (credit), for which there is room (ready_valid), or that are on (on_off).
    virtual std::uint32_t back(std::uint32_t port) = 0;
    /// Takes the VCs that the router shows on the flow control pins of input `port`
    /// (pin_adapter::read_back()). Returns the VCs that get a credit on the link: for `credit` the same
    /// `vcs`, else the VC of the flit that the router takes in this cycle, or 0.
    virtual std::uint32_t came_back(std::uint32_t port, std::uint32_t vcs) = 0;
    /// Returns the VCs for which the router would not take a flit at the last came_back(): the VC that was
    /// offered and not taken (ready_valid), or those that are off (on_off; bits above the number of VCs are
    /// set, too); 0 for `credit`.
    virtual std::uint32_t refused(std::uint32_t port) const = 0;
    /// Returns true if the flit of `vc` at the output pins of `port` goes on to the link in this cycle. Then
    /// also counts the credit that it uses, except for `credit`, where the router counts. Returns false if
    /// back() did not name the VC, so that the flit stays at the pins (only ready_valid).
    virtual bool left(std::uint32_t port, std::uint32_t vc) = 0;
};

/// Makes the flow_kit for the flow control that `facts` states. `info`: number of ports and VCs of the
/// router, and depth of the buffer beyond each output port (depth_beyond). Neither is used afterwards.
std::unique_ptr<flow_kit> make_flow_kit(const pins::router_facts& facts, const pins::router_info& info);

}  // namespace sare::cosim
