// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/pins/routing_context.h"

#include <memory>

namespace sare::cosim {

/// The place of a router in a network: a position in the grid that its setting describes; or, for routing by
/// table, the output port to each node.
struct router_place {
    std::uint32_t router = 0;  ///< number of the router in the grid; not used with tables
    /// Output port for each destination (route_table): at this router (here), and at the router that this one
    /// leads to (next). Where packets fork, `here` has masks of output ports. Empty in a grid.
    std::vector<std::uint32_t> here, next;

    /// Returns a text for messages, such as "router 5 of 4x4" or "tables of 33 nodes".
    std::string text(const router_setting& s) const;
};

/// The network around a router that is tested alone: the part that the router can notice.
struct surroundings {
    /// Topology: the whole grid; for routing by table, this router alone.
    std::unique_ptr<topology> map;
    std::unique_ptr<routing_function> routing;  ///< dimension-order routing; null for routing by table
    /// Place and routes of the router; refers to `map` and `routing`.
    std::unique_ptr<routing_context> around;
};

/// Makes the network around a router at the place `at`. Throws config::error for a place that is not in the
/// grid.
surroundings make_surroundings(const router_setting& s, const router_place& at);

}  // namespace sare::cosim
