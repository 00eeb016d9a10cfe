// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

/// The dragonfly (J. Kim, W. Dally, S. Scott, D. Abts, ISCA 2008).
namespace sare {

/// `g` groups of `a` routers: router r is number r % a of group r / a. Its ports 0 to a - 2 lead to the other
/// routers of the group, in their order; the `h` following ones are global; its `p` nodes are on the last
/// ones. The global links of a group are numbered, those of its router x from x * h on. Number l of group i
/// leads to the group number l % (g - 1) of the others: all others have a link before one has a second. What
/// is left where g - 1 does not divide a * h is unplugged.
struct dragonfly_shape : network_shape {
    std::uint32_t p = 4, a = 8, h = 4, g = 33;

    /// Links between each two groups.
    std::uint32_t links_of_pair() const { return g > 1 ? a * h / (g - 1) : 0; }
    /// The port that leads from a router of a group to another one, by their numbers in it.
    static std::uint32_t local_port(std::uint32_t from, std::uint32_t to) { return to < from ? to : to - 1; }
    /// The global link of group `from` to group `to`: of those between them, number `copy`.
    std::uint32_t global_link(std::uint32_t from, std::uint32_t to, std::uint32_t copy) const {
        return copy * (g - 1) + (to < from ? to : to - 1);
    }
    std::uint32_t first_node_port() const { return a - 1 + h; }
};

}  // namespace sare
