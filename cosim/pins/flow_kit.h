// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_adapter.h"
#include "cosim/pins/pin_router.h"

#include <memory>

namespace sare::cosim {

/// Converts between Sare's links, where a sender counts credits for each VC, and the flow control of a
/// router's pins. One object serves all ports of a router. Calls in a cycle, for each port: arrived() and
/// back(); sees(), if needed; offer(); came_back() and refused(); left() if a flit is at the output pins. A
/// set of VCs is a mask, VC 0 in bit 0.
class flow_kit {
  public:
    virtual ~flow_kit() = default;

    /// Takes the flit and the credits that the links bring to `port` in this cycle.
    virtual void arrived(std::uint32_t port, const port_in& in) = 0;
    /// Takes the VCs for which input `port` is ready; called for router_facts::stable_offer with 2 VCs or
    /// more.
    virtual void sees(std::uint32_t port, std::uint32_t vcs) { (void)port, (void)vcs; }
    /// Returns the flit to drive on the input pins of `port` in this cycle; null: none.
    virtual const flit* offer(std::uint32_t port) = 0;
    /// Returns the VCs of output `port` to credit, show ready, or on.
    virtual std::uint32_t back(std::uint32_t port) = 0;
    /// Takes the VCs that pin_adapter::read_back() returned for input `port`. Returns the VCs that get a
    /// credit on the link.
    virtual std::uint32_t came_back(std::uint32_t port, std::uint32_t vcs) = 0;
    /// Returns the VCs that the last came_back() refused: offered and not taken, or off (on_off); credits: 0.
    virtual std::uint32_t refused(std::uint32_t port) const = 0;
    /// Called if a flit of `vc` is at the output pins of `port`. Returns true if the flit moves on in this
    /// cycle.
    virtual bool left(std::uint32_t port, std::uint32_t vc) = 0;
};

/// Makes the flow_kit for the flow control that `facts` states.
std::unique_ptr<flow_kit> make_flow_kit(const pins::router_facts& facts, const pins::router_info& info);

}  // namespace sare::cosim
