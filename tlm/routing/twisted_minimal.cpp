// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid_routing.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/twisted_torus.h"

#include <cstdlib>
#include <optional>

namespace sare {
namespace {

struct twisted_parameters : ring_parameters {
    bool random_ties = true;
    bool adaptive = false;
};

/// Shortest ways by *displacements*: hops along each dimension, signed, that lead from one router to another.
/// All routers see the same network, so a search from router 0 finds the shortest ones for every place
/// relative to a router, the router to which they lead from router 0. Taken in the order of the
/// dimensions: along each it is a ring, with a dateline of its own.
/// header.via: the displacement chosen at the source. How much of it is left the distance tells: every rest
/// of a shortest way is a shortest way.
class twisted_minimal final : public routing_function {
  public:
    twisted_minimal(const twisted_parameters& p, const config::value& section, const routing_context& context)
        : m_rule(p.dateline), m_random(p.random_ties), m_adaptive(p.adaptive) {
        const topology& net = *context.network;
        const auto* twisted = dynamic_cast<const twisted_shape*>(net.shape());
        if (twisted == nullptr)
            throw config::error(
                place(section, "function"),
                "'function' is twisted_minimal, which needs a twisted_torus, not a " + net.name());
        const twisted_shape& shape = *twisted;
        if (!shape.commutes())
            throw config::error(place(section, "function"),
                                "'function' is twisted_minimal, which needs a twist along dimensions that "
                                "are not twisted themselves: there the order of hops matters; up_down works");
        if (shape.unidirectional) check_one_way(m_rule, section);
        const bool one = m_rule == dateline_rule::none;
        check_vcs(section, context, "twisted_minimal",
                  {one ? 1U : 2U,
                   one ? "packets travel on it"
                       : std::string("one for each of the two classes of dateline ") + name_of(m_rule)});
        m_vcs = vc_classes(0, context.vcs);
        if (m_adaptive) check_adaptive(section, context);
        m_dims = shape.dims;
        m_places = places_of_nodes(net);
        for (std::uint32_t d = 0; d < m_dims.size(); ++d)
            for (std::uint32_t e = 0; e < m_dims.size(); ++e)
                if (shape.twist[d][e] != 0) m_twists.push_back({d, e, shape.twist[d][e]});
        lay_rings(net, section, shape.unidirectional);
        search(net, shape.unidirectional);
    }

    std::string name() const override { return "twisted_minimal"; }
    std::uint32_t max_candidates() const override {
        if (m_adaptive) return static_cast<std::uint32_t>(2 * m_dims.size()) + 1;
        return needs_escape() ? 2 : 1;
    }
    bool deterministic() const override { return !m_adaptive && (!m_random || !m_ties); }
    bool needs_escape() const override { return m_adaptive || m_rule == dateline_rule::improved; }

    void begin(route_header& h, rng& random) const override {
        const std::uint32_t to = relative(h), first = m_first[to], count = m_first[to + 1] - first;
        h.via = first + (m_random && count > 1 ? random.below(count) : 0);
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const std::uint32_t to = relative(plain);
        for (std::uint32_t i = m_first[to]; i < m_first[to + 1] && (m_random || i == m_first[to]); ++i) {
            out.push_back(plain);
            out.back().via = i;
        }
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_place to = m_places[h.destination];
        if (r == to.router) return out.add(to.port, m_vcs.all);
        if (m_adaptive) return every_way(relative(r, to.router), out);
        const std::int32_t* way = &m_ways[std::size_t{h.via} * m_dims.size()];
        std::uint32_t left = m_distance[relative(r, to.router)],
                      d = static_cast<std::uint32_t>(m_dims.size()) - 1;
        while (left > hops(way[d])) left -= hops(way[d--]);
        // Along dimension d: `left` hops of hops(way[d]).
        const grid_dimension& along = m_rings[d];
        const std::uint32_t c = m_position[std::size_t{r} * m_dims.size() + d], round = along.last + 1U;
        const std::uint32_t done = hops(way[d]) - left;
        const bool negative = way[d] < 0;
        const bool has_crossed = negative ? c + done > along.last : c < done;
        const bool will_cross = negative ? c < left : c + left > along.last;
        const std::uint32_t target =
            negative ? c + (will_cross ? round : 0) - left : c + left - (will_cross ? round : 0);
        ring_hop(m_rule, along, c, target, negative | (has_crossed || will_cross) << 1, m_vcs, out);
    }

  private:
    /// Every hop of every shortest displacement to such a place on the adaptive VCs, and the first hop of the
    /// first one on VC 0.
    void every_way(std::uint32_t to, route_set& out) const {
        const std::size_t count = m_dims.size();
        std::uint32_t ports = 0;
        for (std::uint32_t i = m_first[to]; i < m_first[to + 1]; ++i)
            for (std::size_t d = 0; d < count; ++d)
                if (const std::int32_t way = m_ways[i * count + d]; way != 0)
                    ports |= 1U << (m_rings[d].port + (way < 0));
        for (std::uint32_t p = 0; p < 2 * count; ++p)
            if ((ports >> p & 1) != 0) out.add(p, m_vcs.all & ~1U);
        const std::int32_t* first = &m_ways[m_first[to] * count];
        std::size_t d = 0;
        while (first[d] == 0) ++d;
        out.add(m_rings[d].port + (first[d] < 0), 1, true);
    }

    void check_adaptive(const config::value& section, const routing_context& context) const {
        check_vcs(section, context, "twisted_minimal",
                  {2, "1 escape VC, for routers with bubble flow control, and 1 adaptive VC"});
        if (m_rule != dateline_rule::none)
            throw config::error(place(section, "adaptive"),
                                "'adaptive' is true, which has one escape VC, without dateline: write "
                                "'dateline: none', for routers with bubble flow control");
    }

    struct twist {
        std::uint32_t of, along, amount;  ///< the wrap link of a dimension moves along another
    };
    static std::uint32_t hops(std::int32_t way) { return static_cast<std::uint32_t>(std::abs(way)); }

    /// The router that is to router 0 as t is to s.
    std::uint32_t relative(std::uint32_t s, std::uint32_t t) const {
        const std::size_t count = m_dims.size();
        const auto *from = &m_coordinates[s * count], *to = &m_coordinates[t * count];
        std::uint32_t place = 0;
        for (std::size_t e = count; e-- > 0;) {
            std::uint32_t x = to[e] + (to[e] < from[e] ? m_dims[e] : 0) - from[e];
            for (const twist& w : m_twists)
                if (w.along == e && to[w.of] < from[w.of])
                    x += x < w.amount ? m_dims[e] - w.amount : -w.amount;
            place = place * m_dims[e] + x;
        }
        return place;
    }
    std::uint32_t relative(const route_header& h) const {
        return relative(m_places[h.source].router, m_places[h.destination].router);
    }

    /// The router that a port leads to.
    static std::optional<std::uint32_t> neighbour(const topology& net, std::uint32_t r, std::uint32_t port) {
        const port_peer to = net.peer(router_id(r), port_id(port));
        if (to.what != port_peer::kind::router) return std::nullopt;
        return to.id;
    }

    /// Coordinates, and the position of each router in its ring along each dimension.
    void lay_rings(const topology& net, const config::value& section, bool one_way) {
        const auto count = static_cast<std::uint32_t>(m_dims.size());
        m_position.assign(std::size_t{net.routers()} * count, unreached);
        for (std::uint32_t r = 0; r < net.routers(); ++r)
            for (std::uint32_t d = 0, rest = r; d < count; rest /= m_dims[d++])
                m_coordinates.push_back(rest % m_dims[d]);
        for (std::uint32_t d = 0; d < count; ++d) {
            std::uint32_t length = 0;
            for (std::uint32_t start = 0; start < net.routers(); ++start) {
                if (m_position[std::size_t{start} * count + d] != unreached) continue;
                length = 0;
                for (std::uint32_t r = start; length == 0 || r != start;
                     r = neighbour(net, r, one_way ? d : 2 * d).value_or(r))
                    m_position[std::size_t{r} * count + d] = length++;
            }
            if (length > 65536)
                throw config::error(place(section, "function"),
                                    "'function' is twisted_minimal; along dimension " + std::to_string(d) +
                                        " are rings of " + std::to_string(length) +
                                        " routers, and it takes at most 65536");
            m_rings.push_back({static_cast<std::uint16_t>(length - 1), length > 1,
                               static_cast<std::uint8_t>(one_way ? d : 2 * d)});
        }
    }

    /// All shortest displacements, level by level, each once: hops are added in the order of the dimensions.
    void search(const topology& net, bool one_way) {
        const auto count = static_cast<std::uint32_t>(m_dims.size());
        std::vector<std::int32_t> found(count, 0);  // displacements, one after the other
        std::vector<std::uint32_t> place{0};        // where each leads
        m_distance.assign(net.routers(), unreached);
        m_distance[0] = 0;
        for (std::size_t i = 0; i < place.size(); ++i) {
            std::uint32_t last = count - 1;
            while (last > 0 && found[i * count + last] == 0) --last;
            for (std::uint32_t d = last; d < count; ++d)
                for (const int sign : {1, -1}) {
                    const std::int32_t so_far = found[i * count + d];
                    if ((sign < 0 && one_way) || so_far * sign < 0) continue;
                    const auto to = neighbour(net, place[i], one_way ? d : 2 * d + (sign < 0));
                    const std::uint32_t distance = m_distance[place[i]] + 1;
                    if (!to || m_distance[*to] < distance) continue;
                    m_distance[*to] = distance;
                    place.push_back(*to);
                    for (std::uint32_t e = 0; e < count; ++e)
                        found.push_back(found[i * count + e] + (e == d ? sign : 0));
                }
        }
        sort_by_place(found, place, net.routers());
    }

    void sort_by_place(const std::vector<std::int32_t>& found, const std::vector<std::uint32_t>& place,
                       std::uint32_t routers) {
        m_ties = place.size() > routers;
        m_first.assign(routers + std::size_t{1}, 0);
        for (const auto to : place) ++m_first[to + std::size_t{1}];
        for (std::size_t r = 0; r < routers; ++r) m_first[r + 1] += m_first[r];
        m_ways.resize(found.size());
        std::vector<std::uint32_t> next = m_first;
        const std::size_t count = m_dims.size();
        for (std::size_t i = 0; i < place.size(); ++i)
            std::copy_n(&found[i * count], count, &m_ways[next[place[i]]++ * count]);
    }

    dateline_rule m_rule;
    bool m_random, m_adaptive, m_ties = false;
    vc_classes m_vcs;
    std::vector<std::uint32_t> m_dims;
    std::vector<twist> m_twists;
    std::vector<node_place> m_places;
    std::vector<grid_dimension> m_rings;       ///< those along each dimension
    std::vector<std::uint32_t> m_coordinates;  ///< of each router, one after the other
    std::vector<std::uint32_t> m_position;     ///< likewise, in the rings
    std::vector<std::uint32_t> m_distance;     ///< from router 0
    std::vector<std::uint32_t> m_first;        ///< displacements to router r: from m_first[r] on
    std::vector<std::int32_t> m_ways;
};

config::schema<twisted_parameters> fields() {
    config::schema<twisted_parameters> all;
    all.include(dateline_fields())
        .flag("random_ties", &twisted_parameters::random_ties,
              "among ways of equal length one is drawn for each packet at its source; else always the same")
        .flag("adaptive", &twisted_parameters::adaptive,
              "any hop of a shortest way on all VCs but 0, which is the escape; for routers with bubble flow "
              "control");
    return all;
}

routing_function* make(const twisted_parameters& p, const config::value& section,
                       const routing_context& context) {
    return new twisted_minimal(p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "twisted_minimal", "Shortest ways on a twisted torus, in the order of the dimensions.", fields(), make};

}  // namespace
}  // namespace sare
