// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <iosfwd>
#include <map>
#include <optional>

/// What a topology can say of itself.
namespace sare {

struct topology_properties {
    enum class origin { search, formula, sample };

    std::uint32_t nodes = 0;
    std::uint32_t routers = 0;
    std::uint64_t channels = 0;  ///< between routers, one direction each
    std::uint64_t links = 0;     ///< nodes' links counted; the two directions of a pair of ports are one link
    std::uint32_t radix = 0;     ///< most ports in use at a router, nodes' ports counted
    std::map<std::uint32_t, std::uint32_t> degrees;  ///< channels to other routers -> number of routers
    std::uint32_t diameter = 0;                      ///< links between the routers of two nodes; of a sample:
                                                     ///< the largest seen
    double mean_distance = 0;                        ///< over all ordered pairs of nodes, self included
    origin distances = origin::search;               ///< where diameter and mean come from
    std::uint32_t searches = 0;                      ///< source nodes searched from (search and sample)
    std::optional<std::uint64_t> bisection;          ///< channels, where a formula is known
};

/// Nodes, routers, links, ports: what needs no search.
topology_properties size_of(const topology& net);
/// Distances are exact, by one search for each class of node, where this visits at most `work` routers and
/// channels; beyond that they come from the closed forms, or else from a sample of source nodes.
topology_properties measure(const topology& net, std::uint64_t work = std::uint64_t{1} << 29);

/// One "name: value" line for each property.
void write_properties(const topology_properties& p, std::ostream& out);

/// A router from which another cannot be reached; none in a network that is connected.
struct unreachable_pair {
    std::uint32_t from = 0, to = 0;
};
std::optional<unreachable_pair> find_unreachable(const topology& net);

/// Sizes of the grid of nodes, dimension 0 fastest; one dimension where there is no grid.
std::vector<std::uint32_t> node_dims(const topology& map);

}  // namespace sare
