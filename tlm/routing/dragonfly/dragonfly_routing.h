// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"
#include "tlm/topology/dragonfly/dragonfly.h"

namespace sare {

/// Base class of routing functions on dragonflies: to another group over a global link that leads there,
/// through the router at which that link begins; within a group by one hop.
///
/// A path is minimal (local - global - local) or leads through another group (local - global - local - global
/// - local); hops may be missing. Each hop has a class of VCs behind those of the hops before, so that no
///   cycle of channels closes. Minimal paths have the classes of the end of longer ones, so that packets that
///   avoid a busy global link do not wait behind packets that wait for that link. The table gives the VCs of
///   a hop as parts of the VCs of a message class, by the kind of function (see `detours`). The lowest part
///   also has the remainder of the division; the link to the node has all VCs. Packets that may turn to a
///   detour at the second router, too, have four classes for local links, of which the lowest is for minimal
///   paths in the source's group.
///
/// | hop                                          | no detours        | with detours  | late detours    |
/// |----------------------------------------------|-------------------|---------------|-----------------|
/// | local, to the router with the first link     |                   | lowest third  | second quarter  |
/// | global, to the group between                 |                   | lower half    | lower half      |
/// | local, in the group between                  |                   | middle third  | third quarter   |
/// | local, minimal path in the source's group    | lower half        | middle third  | lowest quarter  |
/// | global, to the destination's group           | all               | upper half    | upper half      |
/// | local, in the destination's group            | upper half        | highest third | highest quarter |
/// | local, source and destination in one group   | all               | all           | all             |
///
/// header.state is the number of a path between two groups: 0: within one group; from 1 on minimal paths, one
/// for each global link (`copy`) between the two groups; then the paths through each group, each with the
/// same copy for both global hops.
class dragonfly_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }
    bool knows_routers_only() const override { return true; }
    std::uint32_t tabular_states() const override { return static_cast<std::uint32_t>(m_paths.size()); }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override;

  protected:
    /// Whether packets take paths through other groups: never; decided at their first router; or (late) at
    /// the second router of the source's group, too.
    enum class detours : std::uint8_t { none, at_first, late };
    /// `name`: value of name(), also for error texts; `section`: section of the function, for places of
    /// errors. Throws config::error for a network that is no dragonfly, and for fewer VCs of a message class
    /// than 2 (none), 3 (at_first) or 4 (late).
    dragonfly_routing(std::string name, const routing_context& context, const config::value& section,
                      detours allowed);

    /// Place of a router.
    struct position {
        std::uint32_t group = 0, x = 0;  ///< group of the router; number of the router within the group
    };
    /// A path between two groups; header.state is its number.
    struct path {
        std::uint32_t via = none;  ///< group through which it leads; none: the path is minimal
        /// Number, from 0, of the global link among the links from one group to another; a detour has it for
        /// both.
        std::uint32_t copy = 0;
    };
    static constexpr std::uint32_t none = 0xffffffff;  ///< no group

    const dragonfly_shape& shape() const { return m_shape; }
    /// Returns the place of a router.
    const position& at(std::uint32_t r) const { return m_positions[r]; }
    /// Returns the place of a node's router.
    const position& home(std::uint32_t node) const { return m_positions[m_nodes[node].router]; }
    /// Returns the path of a state.
    const path& path_of(std::uint32_t state) const { return m_paths[state]; }
    /// Returns the state of the minimal path, to another group, over global link number `copy`.
    static std::uint16_t minimal(std::uint32_t copy) { return static_cast<std::uint16_t>(1 + copy); }
    /// Returns the state of the path through group `via` over the two global links with number `copy`.
    std::uint16_t through(std::uint32_t via, std::uint32_t copy) const {
        return static_cast<std::uint16_t>(1 + copy + (via + 1) * m_copies);
    }
    /// Number of global links from one group to another.
    std::uint32_t copies() const { return m_copies; }
    /// Mask of the VCs for local hops in the source's group on minimal paths; detour_vcs() is that on paths
    /// through another group, or 0 with detours::none.
    vc_mask minimal_vcs() const { return m_minimal_local; }
    vc_mask detour_vcs() const { return m_local[0]; }
    /// Beginning of a global link.
    struct global_port {
        std::uint32_t x = 0, port = 0;  ///< number of the router within the group; output port
    };
    /// Returns the beginning of global link number `copy` from one group to another.
    const global_port& link_to(std::uint32_t from, std::uint32_t to, std::uint32_t copy) const {
        return m_links[m_shape.global_link(from, to, copy)];
    }
    /// Returns the number of links between routers, from one router to another, on the path of a state.
    std::uint32_t hops(std::uint32_t state, const position& from, const position& to) const;

    /// Returns the state of a minimal path with the fewest hops, drawn at random if there are several; 0 if
    /// source and destination are in one group.
    std::uint16_t draw_minimal(const route_header& h, rng& random) const;
    /// Returns the state of a path through a third group, which is drawn at random; the result of
    /// draw_minimal() if there is no third group, or if source and destination are in one group.
    std::uint16_t draw_detour(const route_header& h, rng& random) const;
    /// Appends the headers for all minimal paths with the fewest hops.
    void every_minimal(const route_header& plain, std::vector<route_header>& out) const;
    /// Appends headers for some paths through other groups, for the deadlock check: over all pairs of nodes
    /// they contain every hop of all such paths.
    void every_detour(const route_header& plain, std::vector<route_header>& out) const;
    /// Appends all headers from which draw_detour() draws; all are equally likely.
    void every_way_round(const route_header& plain, std::vector<route_header>& out) const;

  private:
    static vc_need need_of(detours allowed);
    void add_headers(const route_header& plain, std::uint32_t via, std::vector<route_header>& out) const;

    std::string m_name;
    dragonfly_shape m_shape;
    std::uint32_t m_copies = 0;
    vc_mask m_all = 0, m_minimal_local = 0, m_local[3] = {}, m_global[2] = {};
    std::vector<position> m_positions;     ///< position of each router
    std::vector<node_attachment> m_nodes;  ///< attachment of each node
    /// Beginning of each global link of a group, by its number in the group.
    std::vector<global_port> m_links;
    std::vector<path> m_paths;  ///< path of each state
};

}  // namespace sare
