// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <unordered_map>
#include <vector>

namespace sare {

/// A tree of routers, neighbours by neighbours, that connects the routers of a group's nodes by shortest
/// paths to its root: the router nearest to the farthest of them, and among such the one with the least sum
/// of distances; if there are more than 64, only 64 count.
class combining_tree {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< no router
    /// Nodes of the group at one router, by their places in the list of the constructor.
    struct hop {
        std::uint32_t parent = none;          ///< next router towards the root; none: this is the root
        std::uint32_t depth = 0;              ///< number of links to the root
        std::uint32_t below = 0;              ///< number of members at this router and at those below it
        std::vector<std::uint32_t> children;  ///< routers whose parent is this one, ascending
        std::vector<std::uint32_t> places;    ///< places of nodes at this router

        /// Return the number of a neighbour, and of a place, among all that packets come from: children,
        /// parent if there is one, places.
        std::uint32_t number_of_router(std::uint32_t neighbour) const;
        std::uint32_t number_of_place(std::uint32_t place) const;
    };
    /// A node of the group, and the number of members on it.
    struct place {
        std::uint32_t node = 0, members = 0;
    };

    combining_tree() = default;
    /// `group`: number of the group, by which groups take turns among equally good roots. Throws
    /// config::error if no path connects two of the nodes.
    combining_tree(const topology& net, const std::vector<place>& places, std::uint32_t group);

    std::uint32_t root() const { return m_root; }
    /// Returns the place of a router in the tree, which it must be in.
    const hop& at(std::uint32_t router) const { return m_hops.at(router); }
    /// Returns the routers at which packets of several children or members meet.
    const std::vector<std::uint32_t>& joins() const { return m_joins; }
    /// Returns the child of `router` that leads to `below`, a router below it.
    std::uint32_t child_towards(std::uint32_t router, std::uint32_t below) const;
    /// Returns the number of links between two routers along the tree.
    std::uint32_t distance(std::uint32_t a, std::uint32_t b) const;

  private:
    void add_path(std::uint32_t from, const std::vector<std::uint32_t>& parents, std::uint32_t members);

    std::uint32_t m_root = none;
    std::unordered_map<std::uint32_t, hop> m_hops;
    std::vector<std::uint32_t> m_joins;
};

}  // namespace sare
