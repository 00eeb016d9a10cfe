// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

/// The dragonfly (J. Kim, W. Dally, S. Scott, D. Abts, ISCA 2008).
namespace sare {

/// Shape of a dragonfly: `g` groups of `a` routers; router r is number r % a of group r / a. Its first a - 1
/// ports lead to the other routers of the group, in the order of their numbers; the next `h` ports have
/// global links. The last `p` ports lead to its nodes, r * p to r * p + p - 1.
///
/// Global links of a group have numbers from 0: router x of the group has links x * h to x * h + h - 1. Link
/// l leads to group l % (g - 1) of the other groups in ascending order. Links that are left over if g - 1
/// does not divide a * h lead nowhere.
struct dragonfly_shape : network_shape {
    /// `p`: nodes of a router; `a`: routers of a group; `h`: global links of a router; `g`: number of groups.
    std::uint32_t p = 4, a = 8, h = 4, g = 33;

    /// Number of global links from one group to another; 0 with one group.
    std::uint32_t links_of_pair() const { return g > 1 ? a * h / (g - 1) : 0; }
    /// Returns the port that leads from router `from` of a group to router `to` of the same group, both given
    /// by their numbers in the group, which must differ; unchecked.
    static std::uint32_t local_port(std::uint32_t from, std::uint32_t to) { return to < from ? to : to - 1; }
    /// Returns the number of the global link of group `from` that is number `copy`, from 0, of its links to
    /// group `to`, which must not be `from`; unchecked.
    std::uint32_t global_link(std::uint32_t from, std::uint32_t to, std::uint32_t copy) const {
        return copy * (g - 1) + (to < from ? to : to - 1);
    }
    /// A global link of a group.
    struct group_link {
        std::uint32_t group = 0, number = 0;  ///< group; number of the link in that group
        bool leads_on = false;                ///< false: the link is left over, and leads nowhere
    };
    /// Returns the other end of global link `number` of a group.
    group_link other_end(std::uint32_t group, std::uint32_t number) const {
        if (number >= links_of_pair() * (g - 1)) return {};
        const std::uint32_t other = number % (g - 1), to = other < group ? other : other + 1;
        return {to, global_link(to, group, number / (g - 1)), true};
    }
    /// Lowest port that leads to a node.
    std::uint32_t first_node_port() const { return a - 1 + h; }
};

/// Parameters of links in networks of groups, whose links between groups may be longer.
struct group_link_parameters : link_parameters {
    std::uint32_t global_link_latency = 1;  ///< latency of links between groups, in cycles
    /// Latency of links between groups in s; 0: `latency` holds, or if that is 0, global_link_latency.
    double global_latency = 0;

    /// Returns the attributes of a link between groups.
    link_attributes global_link() const;
};
/// Returns the schema of group_link_parameters.
config::schema<group_link_parameters> group_link_fields();

}  // namespace sare
