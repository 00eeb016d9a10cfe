// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/displacement_routing.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/grid/step_network.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

namespace sare {
namespace {

/// Bounds the table of displacements: hops along an axis.
constexpr std::size_t most_hops = std::size_t{1} << 26;

/// The router that a port leads to.
std::optional<std::uint32_t> neighbour(const topology& net, std::uint32_t r, std::uint32_t port) {
    const port_peer to = net.peer(router_id(r), port_id(port));
    if (to.what != port_peer::kind::router) return std::nullopt;
    return to.id;
}

}  // namespace

config::schema<displacement_parameters> displacement_fields() {
    config::schema<displacement_parameters> all;
    all.include(dateline_fields())
        .flag("random_ties", &displacement_parameters::random_ties,
              "among ways of equal length one is drawn for each packet at its source; else always the same")
        .flag("adaptive", &displacement_parameters::adaptive,
              "any hop of a shortest way on all VCs but 0, which is the escape; for routers with bubble flow "
              "control");
    return all;
}

displacement_routing::displacement_routing(std::string name, const coordinate_shape& shape,
                                           std::vector<coordinate_twist> twists,
                                           const displacement_parameters& p, const config::value& section,
                                           const routing_context& context)
    : m_name(std::move(name)),
      m_rule(p.dateline),
      m_random(p.random_ties),
      m_adaptive(p.adaptive),
      m_dims(shape.dims),
      m_twists(std::move(twists)) {
    const topology& net = *context.network;
    if (shape.unidirectional) check_one_way(m_rule, section);
    const bool one = m_rule == dateline_rule::none;
    check_vcs(
        section, context, m_name,
        {one ? 1U : 2U, one ? "packets travel on it"
                            : std::string("one for each of the two classes of dateline ") + name_of(m_rule)});
    m_vcs = vc_classes(0, context.vcs);
    m_attachments = node_attachments(net);
    lay_rings(net, section, shape);
    if (m_adaptive) check_adaptive(section, context);
    search(net, section, shape.unidirectional);
}

void displacement_routing::check_adaptive(const config::value& section,
                                          const routing_context& context) const {
    check_vcs(section, context, m_name,
              {2, "1 escape VC, for routers with bubble flow control, and 1 adaptive VC"});
    if (2 * axes() + 1 > route_set::capacity)
        throw config::error(
            place(section, "adaptive"),
            fmt::format("'adaptive' is true, which takes at most {} dimensions or steps; the network has {}",
                        (route_set::capacity - 1) / 2, axes()));
    if (m_rule != dateline_rule::none)
        throw config::error(place(section, "adaptive"),
                            "'adaptive' is true, which has one escape VC, without dateline: write 'dateline: "
                            "none', for routers with bubble flow control");
}

/// Coordinates, and the position of each router in its ring along each axis.
void displacement_routing::lay_rings(const topology& net, const config::value& section,
                                     const coordinate_shape& shape) {
    const std::uint32_t count = shape.axes();
    m_position.assign(std::size_t{net.routers()} * count, unreached);
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t d = 0, rest = r; d < m_dims.size(); rest /= m_dims[d++])
            m_coordinates.push_back(rest % m_dims[d]);
    for (std::uint32_t a = 0; a < count; ++a) {
        const std::uint32_t plus = shape.port(a, false);
        std::uint32_t length = 0;
        for (std::uint32_t start = 0; start < net.routers(); ++start) {
            if (m_position[std::size_t{start} * count + a] != unreached) continue;
            length = 0;
            for (std::uint32_t r = start; length == 0 || r != start; r = neighbour(net, r, plus).value_or(r))
                m_position[std::size_t{r} * count + a] = length++;
        }
        if (length > 65536)
            throw config::error(place(section, "function"),
                                fmt::format("'function' is {}; along dimension {} are rings of {} routers, "
                                            "and it takes at most 65536",
                                            m_name, a, length));
        m_rings.push_back({static_cast<std::uint16_t>(length - 1), length > 1,
                           static_cast<std::uint8_t>(plus),
                           static_cast<std::uint8_t>(shape.port(a, true) - plus)});
    }
}

/// All shortest displacements, level by level, each once: hops are added in the order of the axes.
void displacement_routing::search(const topology& net, const config::value& section, bool one_way) {
    const std::uint32_t count = axes();
    std::vector<std::int32_t> found(count, 0);  // displacements, one after the other
    std::vector<std::uint32_t> positions{0};    // where each leads
    m_distance.assign(net.routers(), unreached);
    m_distance[0] = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        std::uint32_t last = count - 1;
        while (last > 0 && found[i * count + last] == 0) --last;
        for (std::uint32_t a = last; a < count; ++a)
            for (const int sign : {1, -1}) {
                const std::int32_t so_far = found[i * count + a];
                if ((sign < 0 && one_way) || so_far * sign < 0) continue;
                const auto to =
                    neighbour(net, positions[i], m_rings[a].port + (sign < 0 ? m_rings[a].back : 0U));
                const std::uint32_t distance = m_distance[positions[i]] + 1;
                if (!to || m_distance[*to] < distance) continue;
                m_distance[*to] = distance;
                positions.push_back(*to);
                for (std::uint32_t e = 0; e < count; ++e)
                    found.push_back(found[i * count + e] + (e == a ? sign : 0));
            }
        if (found.size() > most_hops)
            throw config::error(
                place(section, "function"),
                fmt::format("'function' is {}, which knows all shortest ways, and here are more than {} from "
                            "a router; shortest_path and up_down take one for each destination",
                            m_name, most_hops / count));
    }
    sort_by_position(found, positions, net.routers());
}

void displacement_routing::sort_by_position(const std::vector<std::int32_t>& found,
                                            const std::vector<std::uint32_t>& positions,
                                            std::uint32_t routers) {
    m_ties = positions.size() > routers;
    m_first.assign(routers + std::size_t{1}, 0);
    for (const auto to : positions) ++m_first[to + std::size_t{1}];
    for (std::size_t r = 0; r < routers; ++r) m_first[r + 1] += m_first[r];
    m_displacements.resize(found.size());
    std::vector<std::uint32_t> next = m_first;
    const std::size_t count = axes();
    for (std::size_t i = 0; i < positions.size(); ++i)
        std::copy_n(&found[i * count], count, &m_displacements[next[positions[i]]++ * count]);
}

void displacement_routing::begin(route_header& h, rng& random) const {
    const std::uint32_t to = relative(h), first = m_first[to], count = m_first[to + 1] - first;
    h.via = first + (m_random && count > 1 ? random.below(count) : 0);
}

void displacement_routing::every_header(const route_header& plain, std::vector<route_header>& out) const {
    const std::uint32_t to = relative(plain);
    for (std::uint32_t i = m_first[to]; i < m_first[to + 1] && (m_random || i == m_first[to]); ++i) {
        out.push_back(plain);
        out.back().via = i;
    }
}

std::uint32_t displacement_routing::hops(std::int32_t along) {
    return static_cast<std::uint32_t>(std::abs(along));
}

void displacement_routing::route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
                                 route_set& out) const {
    const node_attachment to = m_attachments[h.destination];
    if (r == to.router) return out.add(to.port, m_vcs.all);
    if (m_adaptive) return all_shortest(relative(r, to.router), out);
    const std::size_t count = axes();
    const std::int32_t* displacement = &m_displacements[h.via * count];
    std::uint32_t left = m_distance[relative(r, to.router)], a = axes() - 1;
    while (left > hops(displacement[a])) left -= hops(displacement[a--]);
    // Along axis a: `left` hops of hops(displacement[a]).
    const grid_dimension& along = m_rings[a];
    const std::uint32_t c = m_position[r * count + a], round = along.last + 1U;
    const std::uint32_t done = hops(displacement[a]) - left;
    const bool negative = displacement[a] < 0;
    const bool has_crossed = negative ? c + done > along.last : c < done;
    const bool will_cross = negative ? c < left : c + left > along.last;
    const std::uint32_t target =
        negative ? c + (will_cross ? round : 0) - left : c + left - (will_cross ? round : 0);
    ring_hop(m_rule, along, c, target, negative | (has_crossed || will_cross) << 1, m_vcs, out);
}

/// Every hop of every shortest displacement to such a position on the adaptive VCs, and the first hop of the
/// first one on VC 0.
void displacement_routing::all_shortest(std::uint32_t to, route_set& out) const {
    const std::size_t count = axes();
    const auto port = [&](std::size_t a, std::int32_t along) {
        return m_rings[a].port + (along < 0 ? m_rings[a].back : 0U);
    };
    std::uint64_t ports = 0;
    for (std::uint32_t i = m_first[to]; i < m_first[to + 1]; ++i)
        for (std::size_t a = 0; a < count; ++a)
            if (const std::int32_t along = m_displacements[i * count + a]; along != 0)
                ports |= std::uint64_t{1} << port(a, along);
    for (; ports != 0; ports &= ports - 1)
        out.add(static_cast<std::uint32_t>(__builtin_ctzll(ports)), m_vcs.all & ~1U);
    const std::int32_t* first = &m_displacements[m_first[to] * count];
    std::size_t a = 0;
    while (first[a] == 0) ++a;
    out.add(port(a, first[a]), 1, true);
}

std::uint32_t displacement_routing::relative(std::uint32_t s, std::uint32_t t) const {
    const std::size_t count = m_dims.size();
    const auto *from = &m_coordinates[s * count], *to = &m_coordinates[t * count];
    std::uint32_t position = 0;
    for (std::size_t e = count; e-- > 0;) {
        std::uint32_t x = to[e] + (to[e] < from[e] ? m_dims[e] : 0) - from[e];
        for (const coordinate_twist& w : m_twists)
            if (w.along == e && to[w.of] < from[w.of]) x += x < w.amount ? m_dims[e] - w.amount : -w.amount;
        position = position * m_dims[e] + x;
    }
    return position;
}

displacement_routing* make_step_routing(const std::string& name, std::size_t dimensions,
                                        const std::string& networks, const displacement_parameters& p,
                                        const config::value& section, const routing_context& context) {
    const topology& net = *context.network;
    const auto* shape = dynamic_cast<const step_shape*>(net.shape());
    if (shape == nullptr || shape->dims.size() != dimensions)
        throw config::error(place(section, "function"),
                            "'function' is " + name + ", which needs " + networks + ", not a " + net.name());
    return new displacement_routing(name, *shape, {}, p, section, context);
}

}  // namespace sare
