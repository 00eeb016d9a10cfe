// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"
#include "tlm/topology/dragonfly/dragonfly.h"

/// The common part of routing on dragonflies: to a group by the one router that has the link, within it by
/// one hop.
namespace sare {

/// A path is minimal, local - global - local, or leads through another group, local - global - local - global
/// - local; hops may be missing. Each hop has a class of VCs, which comes after those of the hops before it,
/// so no cycle of channels closes. A minimal path is the end of a longer one: so packets that avoid a busy
/// global link do not wait behind those that wait for it.
///
/// | hop                                          | minimal paths     | others, too   |
/// |----------------------------------------------|-------------------|---------------|
/// | local, to the router with the first link     |                   | lowest third  |
/// | global, to the group between                 |                   | lower half    |
/// | local, to the router with the last link      | lower half        | middle third  |
/// | global, to the destination's group           | all               | upper half    |
/// | local, there                                 | upper half        | highest third |
/// | local, where source and destination share it | all               | all           |
///
/// header.state numbers the paths between two groups: 0 is within one, then follow the minimal paths by each
/// link of the two groups (`copy`), then those through each group, both its global hops by the same copy.
class dragonfly_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }
    bool knows_routers_only() const override { return true; }
    std::uint32_t tabular_states() const override { return static_cast<std::uint32_t>(m_paths.size()); }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override;

  protected:
    /// Throws config::error for a network that is no dragonfly and for too few VCs; `detours`: there are
    /// paths through other groups.
    dragonfly_routing(std::string name, const routing_context& context, const config::value& section,
                      bool detours);

    struct position {
        std::uint32_t group = 0, x = 0;  ///< x: its number in the group
    };
    struct path {
        std::uint32_t via = none;  ///< group
        std::uint32_t copy = 0;
    };
    static constexpr std::uint32_t none = 0xffffffff;

    const dragonfly_shape& shape() const { return m_shape; }
    const position& at(std::uint32_t r) const { return m_positions[r]; }
    const position& home(std::uint32_t node) const { return m_positions[m_nodes[node].router]; }
    const path& path_of(std::uint32_t state) const { return m_paths[state]; }
    /// A minimal path by the links `copy`; through a group.
    static std::uint16_t minimal(std::uint32_t copy) { return static_cast<std::uint16_t>(1 + copy); }
    std::uint16_t through(std::uint32_t via, std::uint32_t copy) const {
        return static_cast<std::uint16_t>(1 + copy + (via + 1) * m_copies);
    }
    std::uint32_t copies() const { return m_copies; }
    /// The VCs of local hops within the source's group: of minimal paths, and of others.
    std::uint32_t minimal_vcs() const { return m_local[1]; }
    std::uint32_t detour_vcs() const { return m_local[0]; }
    /// Where the global link `copy` of one group to another begins.
    struct global_port {
        std::uint32_t x = 0, port = 0;
    };
    const global_port& link_to(std::uint32_t from, std::uint32_t to, std::uint32_t copy) const {
        return m_links[m_shape.global_link(from, to, copy)];
    }
    /// Links from a router to another by a path.
    std::uint32_t hops(std::uint32_t state, const position& from, const position& to) const;

    /// The state of a minimal path with the fewest hops; of several, a random one.
    std::uint16_t draw_minimal(const route_header& h, rng& random) const;
    /// The state of a path through a random group; a minimal one where there is no group but the two.
    std::uint16_t draw_detour(const route_header& h, rng& random) const;
    /// The headers of all minimal paths; and enough of the others: over all pairs, all their hops are there.
    void every_minimal(const route_header& plain, std::vector<route_header>& out) const;
    void every_detour(const route_header& plain, std::vector<route_header>& out) const;
    /// All that draw_detour() draws among, each as likely.
    void every_way_round(const route_header& plain, std::vector<route_header>& out) const;

  private:
    void add_headers(const route_header& plain, std::uint32_t via, std::vector<route_header>& out) const;

    std::string m_name;
    dragonfly_shape m_shape;
    std::uint32_t m_copies = 0;
    std::uint16_t m_all = 0, m_local[3] = {}, m_global[2] = {};
    std::vector<position> m_positions;     ///< of routers
    std::vector<node_attachment> m_nodes;  ///< of nodes
    std::vector<global_port> m_links;      ///< of a group, by number
    std::vector<path> m_paths;             ///< by state
};

}  // namespace sare
