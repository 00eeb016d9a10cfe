// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>

/// Networks of networks: each node of the outer network is a whole network. One of its routers, the gateway,
/// is linked to the outer router in place of the node. A network of several gateways is in place of as many
/// successive nodes.
namespace sare {

/// Of two levels; where there are more, the inner network is such a one itself.
struct hierarchy_shape : network_shape {
    const topology* outer = nullptr;
    const topology* inner = nullptr;
    std::vector<std::uint32_t> gateways;  ///< routers of `inner`, one for each node that it is in place of

    std::uint32_t copies() const { return outer->nodes() / size(); }
    /// The outer node that a gateway of a copy is in place of, and back.
    std::uint32_t outer_node(std::uint32_t copy, std::uint32_t gateway) const {
        return copy * size() + gateway;
    }
    std::uint32_t copy_at(std::uint32_t outer_node) const { return outer_node / size(); }
    std::uint32_t gateway_at(std::uint32_t outer_node) const { return gateways[outer_node % size()]; }
    /// The port of a gateway to its outer router: one more than it has.
    std::uint32_t gateway_port(std::uint32_t place) const { return inner->ports(router_id(place)); }
    /// Which of the gateways an inner router is; as many as there are: none.
    std::uint32_t number_of(std::uint32_t place) const {
        return static_cast<std::uint32_t>(std::find(gateways.begin(), gateways.end(), place) -
                                          gateways.begin());
    }
    bool is_gateway(std::uint32_t place) const { return number_of(place) != size(); }
    bool is_outer(std::uint32_t r) const { return r < outer->routers(); }
    /// The copy of the inner network that a router is in, and its number there.
    std::uint32_t copy_of(std::uint32_t r) const { return (r - outer->routers()) / inner->routers(); }
    std::uint32_t place_of(std::uint32_t r) const { return (r - outer->routers()) % inner->routers(); }
    std::uint32_t router(std::uint32_t copy, std::uint32_t place) const {
        return outer->routers() + copy * inner->routers() + place;
    }
    std::uint32_t node(std::uint32_t copy, std::uint32_t place) const {
        return copy * inner->nodes() + place;
    }

  private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(gateways.size()); }
};

/// A level as the section 'network' has it.
struct hierarchy_level {
    config::value topology;  ///< with its parameters
    config::value router;    ///< keys of the section 'router' that are different there; null: none
};
/// Those of a network of networks, outermost first; none of another network.
std::vector<hierarchy_level> levels_of(const config::value& network);

}  // namespace sare
