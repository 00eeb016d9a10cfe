// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/fetch_ahead.h"
#include "tlm/routing/routing_support.h"

#include <algorithm>

namespace sare {

/// Rules by which two classes of VCs keep a ring free of cycles: class 0, the lower half of the VCs, and
/// class 1, the upper half; docs/deadlock.md has the proofs. The wrap link of a ring is that between its last
/// and its first router.
enum class dateline_rule : std::uint8_t {
    /// Class 0 before the wrap link, class 1 on the wrap link and after it; class 0 for packets that do not
    /// cross it.
    trc,
    basic,  ///< class 1 for packets that cross the wrap link on their way, class 0 for all others
    /// Class 1 for packets that cross the wrap link on their way; both classes for all others, with class 0
    /// as the escape.
    improved,
    ahead,  ///< class 1 if the wrap link is still to be crossed, up to and on it; else class 0
    /// Class 1 if the wrap link is still to be crossed, up to and on it; else both classes, with class 0 as
    /// the escape.
    improved_ahead,
    none  ///< all VCs are one class: rings can deadlock unless something else prevents it
};
/// Direction around a ring if both ways are equally long: + direction, - direction, or one drawn for each
/// packet.
enum class tie_rule : std::uint8_t { positive, negative, random };

/// Rules for rings, for dimension order and similar functions.
struct ring_parameters {
    dateline_rule dateline = dateline_rule::trc;  ///< rule for the VCs
    tie_rule ties = tie_rule::random;             ///< direction if both ways are equally long
};
/// Return the schemas of the parameter `dateline`, of the parameter `ties`, and of both parameters.
config::schema<ring_parameters> dateline_fields();
config::schema<ring_parameters> tie_fields();
config::schema<ring_parameters> ring_fields();
/// Returns the name of the rule in configurations.
const char* name_of(dateline_rule rule);
/// True if freedom from deadlock rests on escape candidates, since some packets may take both classes.
inline bool rests_on_escape(dateline_rule rule) {
    return rule == dateline_rule::improved || rule == dateline_rule::improved_ahead;
}
/// Throws config::error at `dateline` of `section` for the rules basic and improved, which do not prevent
/// deadlock on rings of one-way links. The rule none is not refused.
void check_one_way(dateline_rule rule, const config::value& section);

/// A dimension of a grid, or the rings along an axis.
struct grid_dimension {
    std::uint16_t last = 0;  ///< highest coordinate
    bool ring = false;       ///< true: wrap links close its lines to rings
    std::uint8_t port = 0;   ///< output port to the neighbour in + direction
    std::uint8_t back = 1;   ///< port + back is the output port to the neighbour in - direction; 1 on grids
};

/// Adds to `out` the candidates of the hop around a ring from coordinate c towards another coordinate t, by
/// the dateline rule within `vcs`. `way`: bit 0: in - direction; bit 1: the packet crosses the wrap link on
/// its way through this ring, before or after c. Sets out.repeats.
inline void ring_hop(dateline_rule rule, const grid_dimension& along, std::uint32_t c, std::uint32_t t,
                     std::uint32_t way, const vc_classes& vcs, route_set& out) {
    const std::uint32_t round = along.last + 1U;
    const bool negative = way & 1, crosses = way & 2;
    const std::uint32_t port = along.port + (negative ? along.back : 0U);
    out.repeats = (negative ? (c > t ? c - t : c + round - t) : (t > c ? t - c : t + round - c)) - 1;
    const bool is_ahead = negative ? c < t : c > t;
    const std::uint32_t to_wrap_link = negative ? c : along.last - c;
    const auto until_behind_it = [&] {
        if (is_ahead) out.repeats = to_wrap_link;
    };
    switch (rule) {
        case dateline_rule::none:
            return out.add(port, vcs.all);
        case dateline_rule::ahead:
            until_behind_it();
            return out.add(port, is_ahead ? vcs.high : vcs.low);
        case dateline_rule::improved_ahead:
            until_behind_it();
            if (is_ahead) return out.add(port, vcs.high, true);
            out.add(port, vcs.high);
            return out.add(port, vcs.low, true);
        case dateline_rule::basic:
            return out.add(port, crosses ? vcs.high : vcs.low);
        case dateline_rule::trc: {
            if (!crosses) return out.add(port, vcs.low);
            if (to_wrap_link == 0 || !is_ahead) return out.add(port, vcs.high);
            out.repeats = to_wrap_link - 1;
            return out.add(port, vcs.low);
        }
        case dateline_rule::improved:
            if (crosses) return out.add(port, vcs.high, true);
            out.add(port, vcs.high);
            return out.add(port, vcs.low, true);
    }
}

/// Base class of routing functions on meshes, tori, rings and hypercubes: has coordinates, directions around
/// a ring and classes of VCs.
class grid_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }
    bool knows_routers_only() const override { return true; }
    void expect(const route_header& h) const override {
        fetch_ahead(at(attachment_of(h.destination).router));
    }

  protected:
    /// `name`: value of name(), also for error texts; `section`: section of the function, for places of
    /// errors. `rules`: rules for rings. Throws config::error for a network that is no grid, and by
    /// check_one_way().
    grid_routing(std::string name, const routing_context& context, const config::value& section,
                 const ring_parameters& rules);

    /// Throws config::error unless the grid has two dimensions.
    void need_two_dimensions(const config::value& section) const;
    /// Throws config::error if a dimension is a ring.
    void need_mesh(const config::value& section) const;
    /// Throws config::error if the grid has rings and more than `most` dimensions.
    void need_dimensions(const config::value& section, std::uint32_t most) const;
    /// Number of classes of VCs that the dateline rule needs: 1 or 2.
    std::uint32_t dateline_classes() const {
        return m_rings && m_rules.dateline != dateline_rule::none ? 2 : 1;
    }

    /// Number of dimensions.
    std::uint32_t dimensions() const { return m_count; }
    /// Number of routers.
    std::uint32_t routers() const { return static_cast<std::uint32_t>(m_coordinates.size() / m_count); }
    bool rings() const { return m_rings; }  ///< true if a dimension of more than one router has wrap links
    /// True if both ways around some ring can be equally long and one of them is drawn.
    bool random_ties() const { return m_random_ties; }
    /// True if freedom from deadlock rests on escape candidates.
    bool escapes() const { return m_rings && rests_on_escape(m_rules.dateline); }

    /// Returns the coordinates of a router: an array of dimensions() elements, valid as long as this object.
    const std::uint16_t* at(std::uint32_t r) const { return &m_coordinates[std::size_t{r} * m_count]; }

    /// Returns the router and port of node `n`, by a multiplication instead of a division: n / c = n *
    /// ceil(2^36 / c) >> 36, which is exact for n < 2^28 and c <= 64, as the error n * (c - 1) / c stays
    /// below 2^36 / c.
    node_attachment attachment_of(std::uint32_t n) const {
        const auto r = static_cast<std::uint32_t>((n * m_reciprocal) >> 36);
        return {r, m_node_port + n - r * m_concentration};
    }

    /// Returns the lowest dimension in which two coordinate arrays, as of at(), differ; they must, unchecked.
    static std::uint32_t first_unlike(const std::uint16_t* c, const std::uint16_t* t) {
        std::uint32_t d = 0;
        while (c[d] == t[d]) ++d;
        return d;
    }

    /// Adds to `out` `port`, which leads to the destination node, with all VCs of the class.
    void deliver(std::uint32_t port, route_set& out) const { out.add(port, m_vcs.all); }

    /// @name Ways round rings: two bits for each dimension d. Bit 2d: the way goes in the - direction; bit 2d
    /// + 1: it crosses the wrap link
    /// @{
    /// Returns the shorter ways from one router to another, given by coordinates; 0 for dimensions that are
    /// no rings. `negative_ties`: bit d: in - direction if both ways are equally long in dimension d.
    std::uint32_t ways(const std::uint16_t* from, const std::uint16_t* to, std::uint32_t negative_ties) const;
    /// Returns the mask (bit d: dimension d) of the rings in which both directions are equally long.
    std::uint32_t ties(const std::uint16_t* from, const std::uint16_t* to) const;
    /// Returns `negative_ties` of ways() for a packet, by the tie rule.
    std::uint32_t draw(rng& random) const { return m_random_ties ? random.next() : fixed_draw(); }
    /// Returns `negative_ties` of ways() by a tie rule that draws nothing; 0 for the rule `random`.
    std::uint32_t fixed_draw() const { return m_rules.ties == tie_rule::negative ? ~0U : 0; }
    /// Calls f(negative_ties) once for each set of ways that draw() can lead to between two routers.
    template <class F>
    void every_draw(const std::uint16_t* from, const std::uint16_t* to, F f) const {
        if (m_rules.ties != tie_rule::random) return f(m_rules.ties == tie_rule::negative ? ~0U : 0U);
        const std::uint32_t open = ties(from, to);
        for (std::uint32_t some = open;; some = (some - 1) & open) {
            f(some);
            if (some == 0) return;
        }
    }
    /// @}

    /// Returns dimension `d`.
    const grid_dimension& dim(std::uint32_t d) const { return m_dimensions[d]; }
    bool one_way() const { return m_one_way; }  ///< true if links lead in + direction only

    /// Adds to `out` the candidates of the hop along dimension d from coordinate c towards coordinate t,
    /// which must differ (unchecked), by the dateline rule within `vcs`. Sets out.repeats. `all_ways`: result
    /// of ways(); without effect if dimension d is no ring.
    void hop(std::uint32_t d, std::uint32_t c, std::uint32_t t, std::uint32_t all_ways, const vc_classes& vcs,
             route_set& out) const {
        const grid_dimension& along = m_dimensions[d];
        if (!along.ring) {
            out.repeats = (t < c ? c - t : t - c) - 1;
            return out.add(along.port + (t < c), vcs.all);
        }
        ring_hop(m_rules.dateline, along, c, t, all_ways >> (2 * d), vcs, out);
    }

    vc_classes m_vcs;  ///< all VCs of the message class

  private:
    std::string m_name;
    ring_parameters m_rules;
    std::uint32_t m_count = 0;          ///< number of dimensions
    std::uint32_t m_concentration = 1;  ///< number of nodes of a router
    std::uint32_t m_node_port = 0;      ///< port of a router's first node
    std::uint64_t m_reciprocal = 0;     ///< 2^36 / m_concentration, rounded up, for attachment_of()
    bool m_rings = false, m_one_way = false, m_random_ties = false;
    std::vector<grid_dimension> m_dimensions;
    std::vector<std::uint16_t> m_coordinates;
};

}  // namespace sare
