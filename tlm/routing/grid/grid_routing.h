// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/fetch_ahead.h"
#include "tlm/routing/routing_support.h"

#include <algorithm>

/// The common part of routing on meshes, tori and rings: coordinates, ways round a ring, dateline classes.
namespace sare {

/// How the two classes of VCs keep a ring free of cycles; docs/deadlock.md has the arguments.
enum class dateline_rule : std::uint8_t {
    trc,             ///< class 0 up to the wrap link, class 1 on it and after it
    basic,           ///< packets that cross the wrap link of the dimension on class 1, others on class 0
    improved,        ///< packets that cross on class 1, others on both; rests on class 0 as an escape
    ahead,           ///< as basic, decided at every router: what has crossed is of those that do not
    improved_ahead,  ///< as improved, likewise
    none             ///< one class: deadlocks unless something else forbids it
};
/// Which way round a ring when both are equally long.
enum class tie_rule : std::uint8_t { positive, negative, random };

struct ring_parameters {
    dateline_rule dateline = dateline_rule::trc;
    tie_rule ties = tie_rule::random;
};
/// The parameters `dateline` and `ties` alone, and both.
config::schema<ring_parameters> dateline_fields();
config::schema<ring_parameters> tie_fields();
config::schema<ring_parameters> ring_fields();
const char* name_of(dateline_rule rule);
/// Some packets may have both classes, one of which is their escape.
inline bool rests_on_escape(dateline_rule rule) {
    return rule == dateline_rule::improved || rule == dateline_rule::improved_ahead;
}
/// Throws config::error for a rule that does not hold round one-way links.
void check_one_way(dateline_rule rule, const config::value& section);

/// A dimension of a grid, or the rings along one.
struct grid_dimension {
    std::uint16_t last = 0;  ///< the highest coordinate
    bool ring = false;
    std::uint8_t port = 0;  ///< to the + neighbour
    std::uint8_t back = 1;  ///< so many further on is the one to the - neighbour; 1 on grids
};

/// The hop round a ring from coordinate c towards t (unlike), by the dateline rule within `vcs`. `way`: bit
/// 0, the - direction; bit 1, from where it entered the ring it has to cross the wrap link.
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

class grid_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }
    bool knows_routers_only() const override { return true; }
    void expect(const route_header& h) const override {
        fetch_ahead(at(attachment_of(h.destination).router));
    }

  protected:
    /// Throws config::error for a network that is no grid and for rules that cannot hold on it.
    grid_routing(std::string name, const routing_context& context, const config::value& section,
                 const ring_parameters& rules);

    /// Throws config::error unless the grid has two dimensions.
    void need_two_dimensions(const config::value& section) const;
    /// Throws config::error unless no dimension is a ring.
    void need_mesh(const config::value& section) const;
    /// Throws config::error if there are rings and more than `most` dimensions.
    void need_dimensions(const config::value& section, std::uint32_t most) const;
    /// VCs that each class of packets needs by the dateline rule.
    std::uint32_t dateline_classes() const {
        return m_rings && m_rules.dateline != dateline_rule::none ? 2 : 1;
    }

    std::uint32_t dimensions() const { return m_count; }
    std::uint32_t routers() const { return static_cast<std::uint32_t>(m_coordinates.size() / m_count); }
    bool rings() const { return m_rings; }  ///< a dimension of more than one router is closed
    bool random_ties() const { return m_random_ties; }
    bool escapes() const { return m_rings && rests_on_escape(m_rules.dateline); }

    /// Coordinates of a router, one after the other.
    const std::uint16_t* at(std::uint32_t r) const { return &m_coordinates[std::size_t{r} * m_count]; }

    /// Router and port of a node, by a multiplication: n / c = n * ceil(2^36 / c) >> 36, exact for n < 2^28
    /// and c <= 64, for the error n * (c - 1) / c stays below 2^36 / c.
    node_attachment attachment_of(std::uint32_t n) const {
        const auto r = static_cast<std::uint32_t>((n * m_reciprocal) >> 36);
        return {r, m_node_port + n - r * m_concentration};
    }

    /// The first dimension in which two routers differ; they are not the same.
    static std::uint32_t first_unlike(const std::uint16_t* c, const std::uint16_t* t) {
        std::uint32_t d = 0;
        while (c[d] == t[d]) ++d;
        return d;
    }

    /// The node's port with all VCs of the class.
    void deliver(std::uint32_t port, route_set& out) const { out.add(port, m_vcs.all); }

    /// @name Ways: two bits for each dimension, from bit 2d on: the - direction; the way crosses the wrap
    /// link.
    /// @{
    std::uint32_t ways(const std::uint16_t* from, const std::uint16_t* to, std::uint32_t negative_ties) const;
    /// Dimensions (bits) in which both ways are equally long.
    std::uint32_t ties(const std::uint16_t* from, const std::uint16_t* to) const;
    /// Dimensions (bits) in which a packet takes the - direction on a tie.
    std::uint32_t draw(rng& random) const { return m_random_ties ? random.next() : fixed_draw(); }
    /// The same where nothing is random.
    std::uint32_t fixed_draw() const { return m_rules.ties == tie_rule::negative ? ~0U : 0; }
    /// Calls f(negative ties) for each outcome of draw() that matters between two routers.
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

    const grid_dimension& dim(std::uint32_t d) const { return m_dimensions[d]; }
    bool one_way() const { return m_one_way; }

    /// The hop along dimension d from coordinate c towards t (unlike), by the dateline rule within `vcs`;
    /// `all_ways` is what ways() gave.
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
    std::uint32_t m_count = 0;  ///< dimensions
    std::uint32_t m_concentration = 1;
    std::uint32_t m_node_port = 0;  ///< of a router's first node
    std::uint64_t m_reciprocal = 0;
    bool m_rings = false, m_one_way = false, m_random_ties = false;
    std::vector<grid_dimension> m_dimensions;
    std::vector<std::uint16_t> m_coordinates;
};

}  // namespace sare
