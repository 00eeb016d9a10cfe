// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <limits>

namespace sare {

/// Graph of the routers of a network in flat arrays, for searches; a copy that does not refer to the
/// topology.
struct adjacency {
    /// forward: links are listed at the router that they leave; backward: at the router that they enter.
    enum class direction { forward, backward };
    /// Lists the links between routers of `net` by router, and the links of one router in ascending order of
    /// ports.
    adjacency(const topology& net, direction way);

    /// Index in `to` and `port` of the first link of each router, with one element more than routers: links
    /// of router r have the indices from first[r] to below first[r + 1].
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> to;  ///< router at the other end, by link
    std::vector<port_number> port;  ///< port of router r, output (forward) or input (backward), by link
};

/// Distance of a router that a search has not reached.
constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

/// Searches breadth-first from router `from`, along the links of `graph` as listed: backward ones against
/// their direction. Sets `distance[r]` to the number of links from `from` to router
/// r, or to unreached; sets `queue` to the routers reached, nearest first, `from` included.
void breadth_first(const adjacency& graph, std::uint32_t from, std::vector<std::uint32_t>& distance,
                   std::vector<std::uint32_t>& queue);

/// Returns the lowest port of router `r` that leads to a router nearer to a target. `distance`: links from
/// each router to the target, by a backward search; `r` must reach the target and not be it; unchecked.
port_number port_nearer(const adjacency& forward, const std::vector<std::uint32_t>& distance,
                        std::uint32_t r);

}  // namespace sare
