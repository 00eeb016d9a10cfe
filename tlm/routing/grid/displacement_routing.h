// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/grid/grid_routing.h"

/// Routing on twisted tori, circulants and triangular tori by *displacements*: numbers of hops along each
/// axis, with their directions, that make a shortest path.
namespace sare {

struct displacement_parameters : ring_parameters {
    bool random_ties = true;  ///< each packet draws a shortest displacement; else all take the first
    bool adaptive = false;    ///< any hop of a shortest path on all VCs but VC 0, the escape
};
config::schema<displacement_parameters> displacement_fields();

/// Twist of a torus: crossing the wrap link of dimension `of` in the + direction also adds `amount` to the
/// coordinate of dimension `along`.
struct coordinate_twist {
    std::uint32_t of, along, amount;
};

/// The network looks the same from all routers and the order of hops does not matter, so a search from router
/// 0 finds the shortest displacements to every relative position. Hops are taken in the order of the axes;
/// along each axis the links form rings, with a dateline of their own. header.via is the number of the
/// displacement chosen at the source. The distance left tells how many of its hops are left, as the rest of a
/// shortest path is a shortest path.
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
    /// Returns the router whose position relative to router 0 is that of t relative to s.
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
    std::vector<grid_dimension> m_rings;        ///< rings along each axis
    std::vector<std::uint32_t> m_coordinates;   ///< coordinates, [router * dimensions + dimension]
    std::vector<std::uint32_t> m_position;      ///< position in the ring, [router * axes + axis]
    std::vector<std::uint32_t> m_distance;      ///< hops from router 0 to each router
    std::vector<std::uint32_t> m_first;         ///< number of the first displacement to each router
    std::vector<std::int32_t> m_displacements;  ///< hops, [displacement * axes + axis]; negative: - direction
};

/// Makes a displacement_routing for a network of steps (tlm/topology/grid/step_network.h) with this number of
/// dimensions. Throws config::error for another network, saying that function `name` needs `networks`.
displacement_routing* make_step_routing(const std::string& name, std::size_t dimensions,
                                        const std::string& networks, const displacement_parameters& p,
                                        const config::value& section, const routing_context& context);

}  // namespace sare
