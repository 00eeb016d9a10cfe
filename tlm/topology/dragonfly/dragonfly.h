// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

/// The dragonfly (J. Kim, W. Dally, S. Scott, D. Abts, ISCA 2008).
namespace sare {

/// `g` groups of `a` routers: router r is number r % a of group r / a. Its ports 0 to a - 2 lead to the other
/// routers of the group, in their order; the next `h` ports are global; the last `p` ports have its nodes.
/// Global links of a group are numbered, from x * h on those of its router x. Link l of group i leads to
/// number l % (g - 1) of the other groups, so that each has one link before any has two. Links that are left
/// if g - 1 does not divide a * h are unplugged.
struct dragonfly_shape : network_shape {
    /// Nodes and global links of a router, routers of a group, and groups: see above.
    std::uint32_t p = 4, a = 8, h = 4, g = 33;

    /// Number of links between two groups.
    std::uint32_t links_of_pair() const { return g > 1 ? a * h / (g - 1) : 0; }
    /// Port that leads from one router of a group to another one, given by their numbers in the group.
    static std::uint32_t local_port(std::uint32_t from, std::uint32_t to) { return to < from ? to : to - 1; }
    /// Number of the global link in group `from` that is link `copy` of those to group `to`.
    std::uint32_t global_link(std::uint32_t from, std::uint32_t to, std::uint32_t copy) const {
        return copy * (g - 1) + (to < from ? to : to - 1);
    }
    std::uint32_t first_node_port() const { return a - 1 + h; }
};

}  // namespace sare
