// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/systemc/modules.h"

#include <optional>
#include <utility>
#include <vector>

namespace sare {

/// Flit and credits that crossed the pins of a port in a cycle, in one direction.
struct pins_of_port {
    std::optional<flit> what;   ///< the flit (tlm/api/packet.h); nothing: there was none
    std::uint32_t credits = 0;  ///< VCs that got a credit: bit v for VC v
};

/// Base class of a user's module that stands in the place of a router, or of a NIC, which has only port 0.
class foreign_block : public sc_core::sc_module {
  public:
    explicit foreign_block(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
    virtual flit_target_socket& in(std::uint32_t port) = 0;      ///< socket that receives flits at `port`
    virtual flit_initiator_socket& out(std::uint32_t port) = 0;  ///< socket that sends flits at `port`
    /// True if the block, when it sends to a router with shared buffers, counts free buffer places as
    /// router_terms::pool (tlm/router_api/bank.h) demands. False, the default: it may not send to such
    /// routers.
    virtual bool counts_pools() const { return false; }
    /// Returns flits and credits of the last cycle, by port: first what came in, then what went out. Empty if
    /// the block does not show them.
    virtual std::vector<std::pair<pins_of_port, pins_of_port>> pins() const { return {}; }
};

}  // namespace sare
