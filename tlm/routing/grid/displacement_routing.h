// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/grid/grid_routing.h"

namespace sare {

/// Parameters of routing by displacements.
struct displacement_parameters : ring_parameters {
    /// True: each packet draws one of the shortest displacements; false: all packets take the first one.
    bool random_ties = true;
    bool adaptive = false;  ///< true: any hop of a shortest path, on all VCs but VC 0, which is the escape
};
/// Returns the schema of displacement_parameters.
config::schema<displacement_parameters> displacement_fields();

/// Twist of a torus: crossing the wrap link of dimension `of` in + direction also adds `amount` to the
/// coordinate of dimension `along`.
struct coordinate_twist {
    std::uint32_t of, along, amount;
};

/// Routing on twisted tori, circulants and triangular tori by *displacements*: numbers of hops along each
/// axis, with their directions, that make a shortest path. The network must look the same from all routers,
/// and the order of hops must not matter, so that a search from router 0 finds the shortest displacements to
/// every relative position.
///
/// Hops are taken in the order of the axes; along each axis the links form rings, each with a dateline of its
/// own. header.via is the number of the displacement that was chosen at the source. The distance to the
/// destination tells which hops of that displacement are left, since the rest of a shortest path is a
/// shortest path.
class displacement_routing final : public routing_function {
  public:
    /// `name`: value of name(), also for error texts; `shape`: shape of the network; `twists`: twists of a
    /// torus, else empty; `section`: section of the function, for places of errors. Throws config::error for
    /// a dateline rule that check_one_way() refuses, for too few VCs, and for networks with rings of more
    /// than 65,536 routers or too many shortest paths.
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
    /// Returns the router whose position relative to router 0 is that of router t relative to router s.
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
    std::vector<grid_dimension> m_rings;       ///< rings along each axis
    std::vector<std::uint32_t> m_coordinates;  ///< coordinates, [router * dimensions + dimension]
    std::vector<std::uint32_t> m_position;     ///< place of each router in its ring, [router * axes + axis]
    std::vector<std::uint32_t> m_distance;     ///< number of hops from router 0 to each router
    /// Number of the first displacement to each router, by router; a router's displacements end before the
    /// first of the next router. One more element: number of all displacements.
    std::vector<std::uint32_t> m_first;
    std::vector<std::int32_t> m_displacements;  ///< hops, [displacement * axes + axis]; negative: - direction
};

/// Makes a displacement_routing for a network of steps (tlm/topology/grid/step_network.h) with this number of
/// dimensions; the caller owns it. Throws config::error for any other network, with the text that function
/// `name` needs `networks`.
displacement_routing* make_step_routing(const std::string& name, std::size_t dimensions,
                                        const std::string& networks, const displacement_parameters& p,
                                        const config::value& section, const routing_context& context);

}  // namespace sare
