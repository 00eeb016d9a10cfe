// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/dragonfly/dragonfly.h"

/// The Dragonfly+ (A. Shpiner et al., HiPINEB 2017), also called Megafly.
namespace sare {

/// Shape of a Dragonfly+: groups of leaf routers, which have the nodes, and spine routers, which have the
/// global links; each leaf is linked to each spine of its group. Routers of a group are numbered leaves
/// first, nodes leaf by leaf. Ports of a leaf: one to each spine, then its nodes; of a spine: one to each
/// leaf, then its global links.
struct dragonfly_plus_shape : network_shape {
    std::uint32_t p = 4, leaves = 4;  ///< nodes of a leaf; leaves of a group
    dragonfly_shape spines;           ///< spines and their global links, as in a dragonfly of these alone

    /// Number of routers of a group.
    std::uint32_t routers() const { return leaves + spines.a; }
    /// Returns the leaf of a node, as number of the router in the whole network.
    std::uint32_t leaf_of(std::uint32_t node) const {
        const std::uint32_t leaf = node / p;
        return leaf / leaves * routers() + leaf % leaves;
    }
};

}  // namespace sare
