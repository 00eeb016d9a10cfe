// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>

namespace sare {

/// A block that is not the model's own (RTL, a user's module) at the end of a link. The network calls it in
/// each cycle in which something arrives; the block sends by a foreign_port.
class foreign_endpoint {
  public:
    virtual ~foreign_endpoint() = default;
    /// Takes the flit that arrives in the current cycle.
    virtual void flit_arrived(const flit& f) = 0;
    /// Takes `count` credits for VC `vc` of the link that the block writes.
    virtual void credit_arrived(std::uint32_t vc, std::uint32_t count) = 0;
    /// True if it counts places of buffers that VCs share (router_terms::pool) where it sends to.
    virtual bool counts_pools() const { return false; }
};

}  // namespace sare
