// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <limits>

/// The router graph laid out flat, for searches over it.
namespace sare {

struct adjacency {
    enum class direction { forward, backward };
    /// Links between routers, by the router that they leave (forward) or enter (backward), in port order.
    adjacency(const topology& net, direction way);

    std::vector<std::uint32_t> first;  ///< links of router r: first[r] to first[r + 1]
    std::vector<std::uint32_t> to;     ///< the router at the other end
    std::vector<std::uint8_t> port;    ///< the port of r
};

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

/// Breadth-first search: links from `from` to each router, or unreached. `queue` is scratch; it ends up
/// holding the routers reached, nearest first.
void breadth_first(const adjacency& graph, std::uint32_t from, std::vector<std::uint32_t>& distance,
                   std::vector<std::uint32_t>& queue);

/// The lowest port of router `r` that leads nearer, where `distance` is that of each router to some other.
std::uint8_t port_nearer(const adjacency& forward, const std::vector<std::uint32_t>& distance,
                         std::uint32_t r);

}  // namespace sare
