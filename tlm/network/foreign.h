// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/network/router_plan.h"
#include "tlm/systemc/foreign_block.h"

#include <memory>

/// Blocks in the network that are not the model's: RTL, or anything else at Sare's sockets. The composer only
/// knows their ports; cosim/ makes them.
namespace sare {

/// Context for the maker of a foreign block: engine, network, and the router or node that the block replaces.
struct block_context {
    cycle_engine& engine;
    const topology& map;
    const routing_function& routing;
    const router_plan& plan;
    std::uint32_t router;    ///< router that is replaced, or to which the node is attached
    std::uint32_t node = 0;  ///< node whose NIC is replaced; only for foreign_maker::nic
};

/// Functions that make a module in the place of a router, and of a NIC. An empty function, or one that
/// returns null: the model's own block stays.
struct foreign_maker {
    using maker =
        function<std::unique_ptr<foreign_block>(const sc_core::sc_module_name&, const block_context&)>;
    maker router, nic;
};

}  // namespace sare
