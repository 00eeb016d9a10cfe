// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/network/router_plan.h"
#include "tlm/systemc/foreign_block.h"

#include <memory>

/// Foreign blocks: blocks in the network that are not the model's own, such as RTL, or any module at Sare's
/// sockets. network.h knows only their ports; cosim/ makes them.
namespace sare {

/// Context for the maker of a foreign block: engine, network, and the router or node that the block replaces.
struct block_context {
    cycle_engine& engine;             ///< engine of the network, which outlives the block
    const topology& map;              ///< topology of the network
    const routing_function& routing;  ///< routing function of the network
    const router_plan& plan;          ///< models of all routers
    /// Router that is replaced; for foreign_maker::nic the router to which the node is attached.
    std::uint32_t router;
    std::uint32_t node = 0;  ///< node whose NIC is replaced; 0 for foreign_maker::router
};

/// Functions that make a module, with the SystemC name of their first argument, in the place of a router or
/// of a NIC. If a function is empty or returns null, the model's own block stays.
struct foreign_maker {
    using maker =
        function<std::unique_ptr<foreign_block>(const sc_core::sc_module_name&, const block_context&)>;
    maker router, nic;  ///< called once for each router, and for the NIC of each node, of this process
};

}  // namespace sare
