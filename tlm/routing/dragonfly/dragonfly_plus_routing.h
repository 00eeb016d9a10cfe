// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"
#include "tlm/topology/dragonfly/dragonfly_plus.h"

namespace sare {

/// Base class of routing functions on a Dragonfly+. A minimal path goes up to a spine and down to the leaf,
/// between groups with a global link between the two spines. A detour leads through another group: to its
/// spine, down to a leaf, up to the spine with the link to the destination's group. It has two hops less if
/// one spine has both links. With detours, the hops of a detour up to the leaf between, or without one up to
/// the group between, have the lower half of the VCs. All later hops, and minimal paths between groups, have
/// the upper half. Within one group the hop up has all VCs, the hop down the upper half; the hop to the node
/// has all VCs. So channels come in the order up, global, down in each half, and no cycle closes. Without
/// detours every hop has all VCs.
///
/// header.state is the number of a path. Minimal paths come first: within a group state s leads over spine s,
/// between two groups over global link (`copy`) s. Then come the detours: detour(via, copy), with the same
/// copy for both global hops.
class dragonfly_plus_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }
    bool knows_routers_only() const override { return true; }
    std::uint32_t tabular_states() const override { return m_states; }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override;

  protected:
    /// `name`: value of name(), also for error texts; `section`: section of the function, for places of
    /// errors; `detours`: true: packets may be led through other groups. Throws config::error for a network
    /// that is no Dragonfly+, and for fewer than 2 VCs of a message class with detours.
    dragonfly_plus_routing(std::string name, const routing_context& context, const config::value& section,
                           bool detours);

    /// Number of groups.
    std::uint32_t group_count() const { return m_spines.g; }
    /// Returns the group of a node.
    std::uint32_t group_of(std::uint32_t node) const { return node / (m_shape.p * m_shape.leaves); }
    /// Returns the number of states of minimal paths from one node to another: the number of spines within a
    /// group, of global links between two groups.
    std::uint32_t minimal_paths(std::uint32_t source, std::uint32_t destination) const {
        return group_of(source) == group_of(destination) ? m_spines.a : m_copies;
    }
    /// Number of global links from one group to another.
    std::uint32_t copies() const { return m_copies; }
    /// Returns the state of the detour through group `via`, which must be neither group of the packet's ends,
    /// over the two global links with number `copy`, below copies(). Neither is checked.
    std::uint16_t detour(std::uint32_t via, std::uint32_t copy) const {
        return static_cast<std::uint16_t>(m_minimal + via * m_copies + copy);
    }

  private:
    std::string m_name;
    dragonfly_plus_shape m_shape;
    dragonfly_shape m_spines;  ///< m_shape.spines
    std::uint32_t m_copies, m_minimal, m_states;
    vc_classes m_vcs;  ///< VCs of a message class; without detours both halves are all of them
};

}  // namespace sare
