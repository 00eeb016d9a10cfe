// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/grid/grid_routing.h"

/// Shortest paths by *displacements*, the common part of routing on twisted tori, circulants and triangular
/// tori: so many hops along each axis, in which direction.
namespace sare {

struct displacement_parameters : ring_parameters {
    bool random_ties = true;
    bool adaptive = false;
};
config::schema<displacement_parameters> displacement_fields();

/// Crossing the wrap link of dimension `of` in the + direction also adds `amount` to coordinate `along`.
struct coordinate_twist {
    std::uint32_t of, along, amount;
};

/// All routers see the same network and the order of hops does not matter, so a search from router 0 finds
/// the shortest displacements for every position relative to a router, the router to which they lead from
/// router 0. Taken in the order of the axes: along each the links form rings, with a dateline of its own.
/// header.via: the displacement chosen at the source. How much of it is left the distance tells: every rest
/// of a shortest path is a shortest path.
class displacement_routing final : public routing_function {
  public:
    /// Throws config::error for rules that cannot hold on the network and for networks that are too large.
    displacement_routing(std::string name, const coordinate_shape& shape,
                         std::vector<coordinate_twist> twists, const displacement_parameters& p,
                         const config::value& section, const routing_context& context);

    std::string name() const override { return m_name; }
    std::uint32_t max_candidates() const override {
        if (m_adaptive) return 2 * axes() + 1;
        return needs_escape() ? 2 : 1;
    }
    bool deterministic() const override { return !m_adaptive && (!m_random || !m_ties); }
    bool needs_escape() const override { return m_adaptive || rests_on_escape(m_rule); }

    void begin(route_header& h, rng& random) const override;
    void every_header(const route_header& plain, std::vector<route_header>& out) const override;
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override;

  private:
    std::uint32_t axes() const { return static_cast<std::uint32_t>(m_rings.size()); }
    static std::uint32_t hops(std::int32_t along);

    void check_adaptive(const config::value& section, const routing_context& context) const;
    void lay_rings(const topology& net, const config::value& section, const coordinate_shape& shape);
    void search(const topology& net, const config::value& section, bool one_way);
    void sort_by_position(const std::vector<std::int32_t>& found, const std::vector<std::uint32_t>& positions,
                          std::uint32_t routers);
    void all_shortest(std::uint32_t to, route_set& out) const;
    /// The router that is to router 0 as t is to s.
    std::uint32_t relative(std::uint32_t s, std::uint32_t t) const;
    std::uint32_t relative(const route_header& h) const {
        return relative(m_attachments[h.source].router, m_attachments[h.destination].router);
    }

    std::string m_name;
    dateline_rule m_rule;
    bool m_random, m_adaptive, m_ties = false;
    vc_classes m_vcs;
    std::vector<std::uint32_t> m_dims;
    std::vector<coordinate_twist> m_twists;
    std::vector<node_attachment> m_attachments;
    std::vector<grid_dimension> m_rings;        ///< those along each axis
    std::vector<std::uint32_t> m_coordinates;   ///< of each router, one after the other
    std::vector<std::uint32_t> m_position;      ///< likewise, in the ring along each axis
    std::vector<std::uint32_t> m_distance;      ///< from router 0
    std::vector<std::uint32_t> m_first;         ///< displacements to router r: from m_first[r] on
    std::vector<std::int32_t> m_displacements;  ///< hops along each axis, one displacement after the other
};

/// Shortest paths on a network of steps (tlm/topology/grid/step_network.h) of so many dimensions. Throws
/// config::error for another one: the function needs `networks`.
displacement_routing* make_step_routing(const std::string& name, std::size_t dimensions,
                                        const std::string& networks, const displacement_parameters& p,
                                        const config::value& section, const routing_context& context);

}  // namespace sare
