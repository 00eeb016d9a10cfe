// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>

/// Networks of networks: each node of the outer network is replaced by a copy of an inner network. One router
/// of the copy, the gateway, is linked to the outer router in place of the node. A copy with several gateways
/// replaces as many successive nodes.
namespace sare {

/// Two levels of a network of networks. If there are more levels, the inner network is a network of networks.
struct hierarchy_shape : network_shape {
    const topology* outer = nullptr;
    const topology* inner = nullptr;
    std::vector<std::uint32_t> gateways;  ///< routers of `inner`, one for each node that a copy replaces

    std::uint32_t copies() const { return outer->nodes() / size(); }  ///< number of copies of `inner`
    /// Outer node that gateway number `gateway` (from 0) of a copy replaces.
    std::uint32_t outer_node(std::uint32_t copy, std::uint32_t gateway) const {
        return copy * size() + gateway;
    }
    /// Copy that replaces an outer node.
    std::uint32_t copy_at(std::uint32_t outer_node) const { return outer_node / size(); }
    /// Router of `inner`, the gateway, that is linked in place of an outer node.
    std::uint32_t gateway_at(std::uint32_t outer_node) const { return gateways[outer_node % size()]; }
    /// Port of gateway router `place` of `inner` that leads to its outer router: one behind its own ports.
    std::uint32_t gateway_port(std::uint32_t place) const { return inner->ports(router_id(place)); }
    /// Number of router `place` of `inner` among the gateways; the number of gateways if it is none.
    std::uint32_t number_of(std::uint32_t place) const {
        return static_cast<std::uint32_t>(std::find(gateways.begin(), gateways.end(), place) -
                                          gateways.begin());
    }
    bool is_gateway(std::uint32_t place) const { return number_of(place) != size(); }
    /// True if router `r` of the whole belongs to the outer network; it then has the same number there.
    bool is_outer(std::uint32_t r) const { return r < outer->routers(); }
    /// Copy of the inner network that router `r` of the whole, not an outer one, is in; and the number of
    /// that router in `inner`.
    std::uint32_t copy_of(std::uint32_t r) const { return (r - outer->routers()) / inner->routers(); }
    std::uint32_t place_of(std::uint32_t r) const { return (r - outer->routers()) % inner->routers(); }
    /// Number in the whole network of router, or node, `place` of a copy.
    std::uint32_t router(std::uint32_t copy, std::uint32_t place) const {
        return outer->routers() + copy * inner->routers() + place;
    }
    std::uint32_t node(std::uint32_t copy, std::uint32_t place) const {
        return copy * inner->nodes() + place;
    }

  private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(gateways.size()); }
};

/// A level of a network of networks in the section 'network'.
struct hierarchy_level {
    config::value topology;  ///< topology with its parameters
    config::value router;    ///< keys of the section 'router' that differ at this level; null: none
};
/// Returns the levels of a network of networks, outermost first; empty for another network.
std::vector<hierarchy_level> levels_of(const config::value& network);

}  // namespace sare
