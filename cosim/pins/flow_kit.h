// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_adapter.h"
#include "cosim/pins/pin_router.h"

#include <memory>

namespace sare::cosim {

/// Between Sare's links, where a sender counts credits for each VC, and pins of another protocol. One for all
/// ports of a router. In a cycle: arrived(); then offer() and back() say what the pins are driven with; then
/// came_back() and left() take what the pins say.
class flow_kit {
  public:
    virtual ~flow_kit() = default;

    /// What the links bring to `port` in this cycle.
    virtual void arrived(std::uint32_t port, const port_in& in) = 0;
    /// For router_facts::stable_offer, before offer(): the VCs for which the router is ready in this cycle.
    virtual void sees(std::uint32_t port, std::uint32_t vcs) { (void)port, (void)vcs; }
    /// The flit for the input pins of `port`; null: none.
    virtual const flit* offer(std::uint32_t port) = 0;
    /// For pin_adapter::drive_back().
    virtual std::uint32_t back(std::uint32_t port) = 0;
    /// `vcs`: what pin_adapter::read_back() gave. The VCs that get a credit on the link.
    virtual std::uint32_t came_back(std::uint32_t port, std::uint32_t vcs) = 0;
    /// VCs that came_back() has just said no to.
    virtual std::uint32_t refused(std::uint32_t port) const = 0;
    /// A flit of `vc` is at the output pins: true if it moves on in this cycle.
    virtual bool left(std::uint32_t port, std::uint32_t vc) = 0;
};

std::unique_ptr<flow_kit> make_flow_kit(const pins::router_facts& facts, const pins::router_info& info);

}  // namespace sare::cosim
