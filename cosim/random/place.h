// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/pins/routing_context.h"

#include <memory>

namespace sare::cosim {

/// Place of a router: a position in the grid that its setting describes, or tables of output ports.
struct router_place {
    std::uint32_t router = 0;  ///< number of the router in the grid; of no meaning with tables
    /// Output port to each node, at this router and at the router that comes next; only with tables.
    std::vector<std::uint32_t> here, next;

    std::string text(const router_setting& s) const;  ///< "router 5 of 4x4", "tables of 33 nodes"
};

/// The network around a router, as far as the router can see it. All members live together.
struct surroundings {
    std::unique_ptr<topology> map;
    std::unique_ptr<routing_function> routing;  ///< dimension order; null with tables
    std::unique_ptr<routing_context> around;
};

/// Makes the network around a router. Throws config::error for a place that is not in the grid.
surroundings make_surroundings(const router_setting& s, const router_place& at);

}  // namespace sare::cosim
