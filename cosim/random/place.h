// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/pins/routing_context.h"

#include <memory>

namespace sare::cosim {

/// Where a router stands: at a place of the grid that its setting describes, or behind tables of ports.
struct router_place {
    std::uint32_t router = 0;               ///< its number on the grid
    std::vector<std::uint32_t> here, next;  ///< tables: the port to each node, here and at the next router

    std::string text(const router_setting& s) const;  ///< "router 5 of 4x4", "tables of 33 nodes"
};

/// The network around a router, as far as the router can see it.
struct surroundings {
    std::unique_ptr<topology> map;
    std::unique_ptr<routing_function> routing;  ///< dimension order; else null
    std::unique_ptr<routing_context> around;
};

/// Throws config::error for what cannot be.
surroundings make_surroundings(const router_setting& s, const router_place& at);

}  // namespace sare::cosim
