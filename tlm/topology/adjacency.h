// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <limits>

/// The graph of routers in flat arrays, for searches.
namespace sare {

struct adjacency {
    enum class direction { forward, backward };
    /// Lists the links between routers by the router that they leave (forward) or enter (backward), in port
    /// order.
    adjacency(const topology& net, direction way);

    std::vector<std::uint32_t> first;  ///< links of router r: places first[r] to first[r + 1] - 1
    std::vector<std::uint32_t> to;     ///< router at the other end of each link
    std::vector<std::uint8_t> port;    ///< port of router r of each link
};

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

/// Breadth-first search: sets `distance` to the number of links from router `from` to each router, or
/// unreached, and `queue` to the routers reached, nearest first.
void breadth_first(const adjacency& graph, std::uint32_t from, std::vector<std::uint32_t>& distance,
                   std::vector<std::uint32_t>& queue);

/// Returns the lowest port of router `r` that leads nearer to a target. `distance`: links from each router to
/// the target; `r` must reach the target, and be another router.
std::uint8_t port_nearer(const adjacency& forward, const std::vector<std::uint32_t>& distance,
                         std::uint32_t r);

}  // namespace sare
