// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <iosfwd>
#include <map>
#include <optional>

/// Properties of a topology, computed for reports.
namespace sare {

/// Properties of a topology, for reports.
struct topology_properties {
    /// Source of distances. search: exact, by searches; formula: exact, by closed forms; sample: by searches
    /// from random source nodes.
    enum class origin { search, formula, sample };

    std::uint32_t nodes = 0;     ///< number of nodes
    std::uint32_t routers = 0;   ///< number of routers
    std::uint64_t channels = 0;  ///< number of links between routers, each direction counted as one
    /// Number of links, those of nodes included; both directions between two ports count as one.
    std::uint64_t links = 0;
    std::uint32_t radix = 0;  ///< most ports of a router that are linked, to nodes or routers
    /// Number of routers by number of channels that leave them.
    std::map<std::uint32_t, std::uint32_t> degrees;
    /// Largest number of links on a shortest path between the routers of two nodes; for a sample the largest
    /// that was seen.
    std::uint32_t diameter = 0;
    /// Mean number of links on a shortest path between the routers of two nodes, over all ordered pairs of
    /// nodes with a path, a node with itself included.
    double mean_distance = 0;
    origin distances = origin::search;  ///< source of diameter and mean distance
    std::uint32_t searches = 0;         ///< number of searches made for them, each from one source node
    /// Least number of channels that a division of the nodes into halves cuts; nothing: unknown.
    std::optional<std::uint64_t> bisection;
};

/// Returns the properties that need no search: nodes, routers, channels, links, radix and degrees; all other
/// members have their initial values.
topology_properties size_of(const topology& net);
/// Returns all properties. Distances are exact, by a search for each class of nodes, if all searches together
/// visit at most `work` routers and channels. Else they come from closed forms if there are any, else from a
/// random sample of at least 16 source nodes.
topology_properties measure(const topology& net, std::uint64_t work = std::uint64_t{1} << 29);

/// Writes one line "name: value" for each property.
void write_properties(const topology_properties& p, std::ostream& out);

/// Two routers: no path leads from `from` to `to`.
struct unreachable_pair {
    std::uint32_t from = 0, to = 0;  ///< numbers of the routers
};
/// Returns two routers of which the second cannot be reached from the first; nothing if every router reaches
/// all others. `net` must have a router.
std::optional<unreachable_pair> find_unreachable(const topology& net);

/// Returns the sizes of the grid of nodes, the fastest dimension first: the nodes of a router, if they are
/// several, are the first dimension, and the dimensions of the routers follow. One dimension, of all nodes,
/// if the routers have no coordinates.
std::vector<std::uint32_t> node_dims(const topology& map);
/// True if a link of the network, from or to a node included, can sleep (link_attributes::wake is not 0).
bool any_link_sleeps(const topology& map);

}  // namespace sare
