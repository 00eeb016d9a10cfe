// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <iosfwd>
#include <map>
#include <optional>

/// Properties of a topology, computed for reports.
namespace sare {

struct topology_properties {
    enum class origin { search, formula, sample };

    std::uint32_t nodes = 0;
    std::uint32_t routers = 0;
    std::uint64_t channels = 0;  ///< links between routers, counting each direction as one
    std::uint64_t links = 0;  ///< links, nodes' links included; the two directions of a pair of ports are one
    std::uint32_t radix = 0;  ///< most ports in use at a router, ports of nodes included
    std::map<std::uint32_t, std::uint32_t> degrees;  ///< number of routers, by channels to other routers
    std::uint32_t diameter = 0;              ///< most links between the routers of two nodes; of a sample:
                                             ///< the largest seen
    double mean_distance = 0;                ///< links, over all ordered pairs of nodes, self included
    origin distances = origin::search;       ///< source of diameter and mean distance
    std::uint32_t searches = 0;              ///< number of source nodes of searches
    std::optional<std::uint64_t> bisection;  ///< least channels between halves of nodes; none: unknown
};

/// Returns the properties that need no search: nodes, routers, channels, links, radix, degrees.
topology_properties size_of(const topology& net);
/// Returns all properties. Distances are exact, by one search for each class of nodes, if this visits at most
/// `work` routers and channels; else they come from closed forms, or from a sample of source nodes.
topology_properties measure(const topology& net, std::uint64_t work = std::uint64_t{1} << 29);

/// Writes one line "name: value" for each property.
void write_properties(const topology_properties& p, std::ostream& out);

/// A router `from`, and a router `to` that it cannot reach.
struct unreachable_pair {
    std::uint32_t from = 0, to = 0;
};
/// Returns a router and one that it cannot reach; nothing if each reaches all others.
std::optional<unreachable_pair> find_unreachable(const topology& net);

/// Sizes of the grid of nodes, dimension 0 varying fastest; one dimension if there is no grid.
std::vector<std::uint32_t> node_dims(const topology& map);

}  // namespace sare
