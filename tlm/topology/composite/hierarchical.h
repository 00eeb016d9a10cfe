// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>

/// Networks of networks: each node of the outer network is replaced by a copy of an inner network. One router
/// of the copy, the gateway, is linked to the outer router in place of the node. A copy with several gateways
/// replaces as many successive nodes.
namespace sare {

/// Two levels of a network of networks: an outer network, of which each node, or each group of successive
/// nodes, is replaced by a copy of an inner network. Routers of the outer network have the lowest numbers,
/// then copy by copy. With more levels, the inner network is itself a network of networks.
struct hierarchy_shape : network_shape {
    const topology* outer = nullptr;  ///< outer network, not null
    const topology* inner = nullptr;  ///< inner network, not null
    /// Routers of `inner` that are linked to outer routers, one for each outer node that a copy replaces.
    std::vector<std::uint32_t> gateways;

    std::uint32_t copies() const { return outer->nodes() / size(); }  ///< number of copies of `inner`
    /// Returns the outer node in whose place gateway number `gateway`, an index in `gateways`, of copy `copy`
    /// is linked.
    std::uint32_t outer_node(std::uint32_t copy, std::uint32_t gateway) const {
        return copy * size() + gateway;
    }
    /// Returns the copy that replaces an outer node.
    std::uint32_t copy_at(std::uint32_t outer_node) const { return outer_node / size(); }
    /// Returns the router of `inner` that is linked in the place of an outer node.
    std::uint32_t gateway_at(std::uint32_t outer_node) const { return gateways[outer_node % size()]; }
    /// Returns the port of router `place` of `inner`, a gateway, that leads to its outer router: the port
    /// after its own ones.
    std::uint32_t gateway_port(std::uint32_t place) const { return inner->ports(router_id(place)); }
    /// Returns the index of router `place` of `inner` in `gateways`; gateways.size() if it is no gateway.
    std::uint32_t number_of(std::uint32_t place) const {
        return static_cast<std::uint32_t>(std::find(gateways.begin(), gateways.end(), place) -
                                          gateways.begin());
    }
    /// True if router `place` of `inner` is a gateway.
    bool is_gateway(std::uint32_t place) const { return number_of(place) != size(); }
    /// True if router `r` of the whole network is in the outer network, where it has the same number.
    bool is_outer(std::uint32_t r) const { return r < outer->routers(); }
    /// Returns the copy that contains router `r` of the whole network, which must not be an outer router.
    std::uint32_t copy_of(std::uint32_t r) const { return (r - outer->routers()) / inner->routers(); }
    /// Returns the number in `inner` of router `r` of the whole network, which must not be an outer router.
    std::uint32_t place_of(std::uint32_t r) const { return (r - outer->routers()) % inner->routers(); }
    /// Returns the number in the whole network of router `place` of copy `copy`.
    std::uint32_t router(std::uint32_t copy, std::uint32_t place) const {
        return outer->routers() + copy * inner->routers() + place;
    }
    /// Returns the number in the whole network of node `place` of copy `copy`.
    std::uint32_t node(std::uint32_t copy, std::uint32_t place) const {
        return copy * inner->nodes() + place;
    }

  private:
    /// Number of gateways of a copy.
    std::uint32_t size() const { return static_cast<std::uint32_t>(gateways.size()); }
};

/// A level of a network of networks in the section 'network'.
struct hierarchy_level {
    config::value topology;  ///< topology with its parameters
    config::value router;    ///< keys of the section 'router' that differ at this level, a map; null: none
};
/// Returns the levels that the section `network` of a network of networks lists, outermost first; a level of
/// unlike networks has an element for each of them. Empty for any other section. The index of an element is
/// topology::part::level of its routers.
std::vector<hierarchy_level> levels_of(const config::value& network);

}  // namespace sare
