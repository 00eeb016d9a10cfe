// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>

namespace sare {

/// Interface of a block that is not Sare's own (RTL, a user's module) at the end of a link. The network calls
/// it in each cycle in which something arrives; the block sends by a foreign_port.
class foreign_endpoint {
  public:
    virtual ~foreign_endpoint() = default;
    /// Takes the flit that arrives in the current cycle; at most one does.
    virtual void flit_arrived(const flit& f) = 0;
    /// Takes `count` credits, which arrive in the current cycle, for VC `vc` of the link that the block
    /// writes.
    virtual void credit_arrived(std::uint32_t vc, std::uint32_t count) = 0;
    /// True if the block counts the buffer places that VCs share where it sends to (router_terms::pool). If
    /// false, a link to such a buffer is refused.
    virtual bool counts_pools() const { return false; }
};

}  // namespace sare
