// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/systemc/modules.h"

#include <optional>
#include <utility>
#include <vector>

namespace sare {

/// Flit and credits that crossed the pins of a port, one way, in a cycle; the flit's `packet` is its slot in
/// the network.
struct pins_of_port {
    std::optional<flit> what;
    std::uint32_t credits = 0;  ///< VCs that got a credit back: VC 0 in bit 0
};

/// Base class of a module of your own that stands in the place of a router, or of a NIC, which has only port
/// 0.
class foreign_block : public sc_core::sc_module {
  public:
    explicit foreign_block(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
    virtual flit_target_socket& in(std::uint32_t port) = 0;      ///< socket that receives flits at `port`
    virtual flit_initiator_socket& out(std::uint32_t port) = 0;  ///< socket that sends flits at `port`
    /// True if the block counts the places of shared buffers where it sends to: each VC's own places, then
    /// the pool that VCs share. False, the default: it may not send to such buffers.
    virtual bool counts_pools() const { return false; }
    /// Returns what went in and out by each port in the last cycle; empty if the block does not show it.
    virtual std::vector<std::pair<pins_of_port, pins_of_port>> pins() const { return {}; }
};

}  // namespace sare
