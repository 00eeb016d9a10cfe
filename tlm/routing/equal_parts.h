// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <vector>

namespace sare {

/// Parts of a network that look the same to the rest of it and to a routing function, such as the subtrees
/// below the top switches of a fat tree. If any two parts change places, together with their nodes, links and
/// routes stay the same. Part k has nodes k * nodes to (k + 1) * nodes - 1. Routers outside the parts have
/// the highest numbers, and their port k leads to part k.
struct equal_parts {
    std::uint32_t count = 0;          ///< number of parts
    std::uint32_t nodes = 0;          ///< nodes of each part
    std::uint32_t first_outside = 0;  ///< lowest router outside the parts
    /// Router of part 0 in the place of each router below first_outside; by router.
    std::vector<std::uint32_t> routers;

    /// Returns the router and port that stand for port `port` of router `r` if all parts are seen as part 0.
    router_port image(std::uint32_t r, std::uint32_t port) const {
        if (r < first_outside) return {router_id(routers[r]), port_id(port)};
        return {router_id(r), port_id(port < count ? 0 : port)};
    }
    /// True if `net` has these parts and its links lead to corresponding ports in all parts; false, for
    /// example, if some links have failed. Attributes of links are not compared.
    bool fit(const topology& net) const;
};

}  // namespace sare
