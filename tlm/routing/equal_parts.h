// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <vector>

namespace sare {

/// Parts of a network that look the same to the rest of it and to a routing function, such as the subtrees
/// below the top switches of a fat tree: if any two parts change places, with their nodes, links and routes
/// stay what they are. Part k has nodes k * nodes to (k + 1) * nodes - 1. Routers outside the parts have the
/// highest numbers, and their port k leads to part k.
struct equal_parts {
    std::uint32_t count = 0;             ///< number of parts
    std::uint32_t nodes = 0;             ///< nodes of each part
    std::uint32_t first_outside = 0;     ///< lowest router outside the parts
    std::vector<std::uint32_t> routers;  ///< by router of the parts: the router in its place in part 0

    /// Returns the port in the place of a router's port when all parts are seen as part 0.
    router_port image(std::uint32_t r, std::uint32_t port) const {
        if (r < first_outside) return {router_id(routers[r]), port_id(port)};
        return {router_id(r), port_id(port < count ? 0 : port)};
    }
    /// Returns true if links agree with the parts; false, for example, where some have failed.
    bool fit(const topology& net) const;
};

}  // namespace sare
