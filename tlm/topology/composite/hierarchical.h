// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

/// Networks of networks: each node of the outer network is a whole network. One of its routers, the gateway,
/// is linked to the outer router in place of the node.
namespace sare {

/// Of two levels; where there are more, the inner network is such a one itself.
struct hierarchy_shape : network_shape {
    const topology* outer = nullptr;
    const topology* inner = nullptr;  ///< of each node of `outer`
    std::uint32_t gateway = 0;        ///< router of `inner`
    std::uint32_t gateway_port = 0;   ///< its port to the outer router: the last one

    bool is_outer(std::uint32_t r) const { return r < outer->routers(); }
    /// The outer node that an inner router stands in, and its number there.
    std::uint32_t copy_of(std::uint32_t r) const { return (r - outer->routers()) / inner->routers(); }
    std::uint32_t place_of(std::uint32_t r) const { return (r - outer->routers()) % inner->routers(); }
    std::uint32_t router(std::uint32_t copy, std::uint32_t place) const {
        return outer->routers() + copy * inner->routers() + place;
    }
    std::uint32_t node(std::uint32_t copy, std::uint32_t place) const {
        return copy * inner->nodes() + place;
    }
};

/// A level as the section 'network' has it.
struct hierarchy_level {
    config::value topology;  ///< with its parameters
    config::value router;    ///< keys of the section 'router' that are different there; null: none
};
/// Those of a network of networks, outermost first; none of another network.
std::vector<hierarchy_level> levels_of(const config::value& network);

}  // namespace sare
