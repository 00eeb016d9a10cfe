// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/network/router_plan.h"
#include "tlm/systemc/foreign_block.h"

#include <memory>

/// Blocks of the network that are not the model's: RTL, or anything else on our sockets. The composer only
/// knows that they have ports; cosim/ makes them.
namespace sare {

/// What the maker of a foreign block is given: the engine, the network, and which router or node it replaces.
struct block_context {
    cycle_engine& engine;
    const topology& map;
    const routing_function& routing;
    const router_plan& plan;
    std::uint32_t router;  ///< that it replaces, or that its node is attached to
    std::uint32_t node = 0;
};

/// Makes the module in the place of a router or of a NIC; null: that block is the model's own.
struct foreign_maker {
    using maker =
        function<std::unique_ptr<foreign_block>(const sc_core::sc_module_name&, const block_context&)>;
    maker router, nic;
};

}  // namespace sare
