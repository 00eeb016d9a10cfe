// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <unordered_map>
#include <vector>

namespace sare {

/// A tree of neighbouring routers that connects the routers of a group's nodes by shortest paths to its root.
/// The root is a router with the least distance to the farthest of these, among such routers one with the
/// least sum of distances. If the group is at more than 64 routers, distances to 64 of them count.
class combining_tree {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< value of `parent` and root(): no router
    /// A router of the tree. A *place* is the index of a node of the group in the list `places` of the
    /// constructor.
    struct hop {
        std::uint32_t parent = none;  ///< next router towards the root; none: this is the root
        std::uint32_t depth = 0;      ///< number of links to the root
        std::uint32_t below = 0;      ///< number of members at this router and at all routers below it
        std::vector<std::uint32_t> children;  ///< routers whose parent is this one, ascending
        std::vector<std::uint32_t> places;    ///< places of nodes at this router

        /// Returns the number of a neighbour, and number_of_place() of a place of this router, among all from
        /// which packets come: first `children`, then `parent` if there is one, then `places`. Both must be
        /// in these lists (not checked).
        std::uint32_t number_of_router(std::uint32_t neighbour) const;
        std::uint32_t number_of_place(std::uint32_t place) const;
    };
    /// A node of the group, and the number of the group's members on it, at least 1.
    struct place {
        std::uint32_t node = 0, members = 0;
    };

    combining_tree() = default;
    /// Makes the tree on `net`, a network without combiners, for nodes `places`, at least one (not checked).
    /// `group`: number of the group, by which groups take turns among equally good roots. Throws
    /// config::error if no path connects two of the nodes.
    combining_tree(const topology& net, const std::vector<place>& places, std::uint32_t group);

    std::uint32_t root() const { return m_root; }  ///< router at the root; none: the tree is empty
    /// Returns a router of the tree. Throws std::out_of_range for a router that is not in the tree.
    const hop& at(std::uint32_t router) const { return m_hops.at(router); }
    /// Returns the routers at which packets of several children or members meet, ascending.
    const std::vector<std::uint32_t>& joins() const { return m_joins; }
    /// Returns the child of `router` that is, or leads to, router `below`, which must be below `router` (else
    /// std::out_of_range).
    std::uint32_t child_towards(std::uint32_t router, std::uint32_t below) const;
    /// Returns the number of links between two routers of the tree along the tree. Throws std::out_of_range
    /// for a router that is not in the tree.
    std::uint32_t distance(std::uint32_t a, std::uint32_t b) const;

  private:
    void add_path(std::uint32_t from, const std::vector<std::uint32_t>& parents, std::uint32_t members);

    std::uint32_t m_root = none;
    std::unordered_map<std::uint32_t, hop> m_hops;
    std::vector<std::uint32_t> m_joins;
};

}  // namespace sare
