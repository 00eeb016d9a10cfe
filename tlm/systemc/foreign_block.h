// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/systemc/modules.h"

namespace sare {

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
};

}  // namespace sare
