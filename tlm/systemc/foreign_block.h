// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/systemc/modules.h"

namespace sare {

/// A module in the place of a router, or of a NIC (port 0).
class foreign_block : public sc_core::sc_module {
  public:
    explicit foreign_block(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
    virtual flit_target_socket& in(std::uint32_t port) = 0;
    virtual flit_initiator_socket& out(std::uint32_t port) = 0;
};

}  // namespace sare
