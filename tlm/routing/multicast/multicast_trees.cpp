// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/multicast/multicast_trees.h"

#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace sare {
namespace {

using hops = triangular_paths::hops;

/// The port that leads along an axis in the direction of a number of hops.
std::uint32_t link_along(std::uint32_t axis, std::int32_t amount) {
    return amount < 0 ? hexagon::opposite(axis) : axis;
}

/// Nodes by their distance from a router, so that some can be drawn one after the other, none twice: a node
/// one hop further off is `decay` times as likely. Every router sees the same network, so the rings are those
/// of router 0.
class target_source {
  public:
    target_source(const triangular_shape& shape, const triangular_paths& paths, const multicast_parameters& p)
        : m_shape(shape), m_decay(p.decay) {
        for (std::uint32_t r = 0; r < shape.w * shape.h; ++r) {
            const std::uint32_t d = paths.distance(0, r);
            if (p.radius != 0 && d > p.radius) continue;
            if (d >= m_rings.size()) m_rings.resize(d + 1);
            for (std::uint32_t k = 0; k < shape.nodes_each; ++k)
                m_rings[d].push_back(r * shape.nodes_each + k);
        }
        for (const auto& ring : m_rings) m_nodes += static_cast<std::uint32_t>(ring.size());
    }

    /// That a node has within reach, but for itself.
    std::uint32_t others() const { return m_nodes - 1; }

    /// `count` <= others() different nodes, not the source.
    void draw(std::uint32_t source, std::uint32_t count, rng& random, std::vector<std::uint32_t>& out) {
        std::vector<std::uint32_t> left(m_rings.size());
        for (std::size_t d = 0; d < left.size(); ++d) left[d] = static_cast<std::uint32_t>(m_rings[d].size());
        take(0, place_of_self(source), left);
        for (out.clear(); count != 0; --count) {
            const std::uint32_t d = ring(left, random);
            const std::uint32_t k = random.below(left[d]);
            out.push_back(from(source, m_rings[d][k]));
            take(d, k, left);
        }
    }

  private:
    /// Puts a member of a ring behind those that are left.
    void take(std::size_t d, std::uint32_t k, std::vector<std::uint32_t>& left) {
        std::swap(m_rings[d][k], m_rings[d][--left[d]]);
    }
    std::uint32_t place_of_self(std::uint32_t source) const {
        const auto self = std::find(m_rings[0].begin(), m_rings[0].end(), source % m_shape.nodes_each);
        return static_cast<std::uint32_t>(self - m_rings[0].begin());
    }
    std::uint32_t ring(const std::vector<std::uint32_t>& left, rng& random) const {
        double all = 0, weight = 1;
        for (const std::uint32_t n : left) {
            all += weight * n;
            weight *= m_decay;
        }
        double at = random.uniform() * all;
        std::uint32_t last = 0;
        weight = 1;
        for (std::uint32_t d = 0; d < left.size(); ++d) {
            if (left[d] != 0) {
                last = d;
                if (at < weight * left[d]) break;
            }
            at -= weight * left[d];
            weight *= m_decay;
        }
        return last;
    }
    /// The node that is to `source`'s router as `node` is to router 0.
    std::uint32_t from(std::uint32_t source, std::uint32_t node) const {
        const std::uint32_t s = source / m_shape.nodes_each, r = node / m_shape.nodes_each;
        const std::uint32_t x = (s % m_shape.w + r % m_shape.w) % m_shape.w;
        const std::uint32_t y = (s / m_shape.w + r / m_shape.w) % m_shape.h;
        return (x + y * m_shape.w) * m_shape.nodes_each + node % m_shape.nodes_each;
    }

    triangular_shape m_shape;
    double m_decay;
    std::uint32_t m_nodes = 0;
    std::vector<std::vector<std::uint32_t>> m_rings;
};

/// The tree of one source. A new path joins the tree at the last of its routers that is in it already, so
/// every router has one input; all paths are shortest ones, so the part in the tree is as short.
class tree {
  public:
    tree(const multicast_table& table, std::uint32_t routers, std::uint32_t nodes_each, hop_order order)
        : m_table(table), m_nodes_each(nodes_each), m_order(order), m_ports(routers), m_along(routers) {}

    void begin(std::uint32_t router) {
        for (const std::uint32_t r : m_routers) m_ports[r] = 0;
        m_routers.assign(1, router);
        m_along[router] = multicast_table::from_node;
    }
    void add(std::uint32_t node, const hops& path) {
        lay(path);
        std::size_t last = m_path.size() - 1;
        while (last != 0 && m_ports[m_path[last].router] == 0) --last;
        for (std::size_t k = last + 1; k < m_path.size(); ++k) {
            m_ports[m_path[k - 1].router] |= std::uint64_t{1} << m_path[k].by;
            m_routers.push_back(m_path[k].router);
            m_along[m_path[k].router] = m_path[k].by;
        }
        m_ports[m_path.back().router] |= std::uint64_t{1} << (hexagon::links + node % m_nodes_each);
    }
    const std::vector<std::uint32_t>& routers() const { return m_routers; }
    std::uint64_t ports(std::uint32_t r) const { return m_ports[r]; }
    /// What comes goes on by the opposite link, and nowhere else.
    bool goes_straight(std::uint32_t r) const {
        return m_along[r] != multicast_table::from_node && m_ports[r] == std::uint64_t{1} << m_along[r];
    }

  private:
    struct step {
        std::uint32_t router, by;  ///< the link it is come to by
    };
    void lay(const hops& path) {
        std::array<std::uint32_t, 3> axes{0, 1, 2};
        if (m_order == hop_order::longest_first)
            std::stable_sort(axes.begin(), axes.end(), [&](std::uint32_t a, std::uint32_t b) {
                return std::abs(path[a]) > std::abs(path[b]);
            });
        m_path.assign(1, {m_routers.front(), multicast_table::from_node});
        for (const std::uint32_t a : axes)
            for (std::int32_t n = std::abs(path[a]); n != 0; --n) {
                const std::uint32_t by = link_along(a, path[a]);
                m_path.push_back({m_table.next(m_path.back().router, by), by});
            }
    }

    const multicast_table& m_table;
    std::uint32_t m_nodes_each;
    hop_order m_order;
    std::vector<std::uint64_t> m_ports;    ///< by router
    std::vector<std::uint32_t> m_along;    ///< by router of the tree: the link in
    std::vector<std::uint32_t> m_routers;  ///< of the tree, its root first
    std::vector<step> m_path;
};

std::uint32_t draw_fan_out(const multicast_parameters& p, rng& random, std::uint32_t most) {
    if (p.fan_outs == fan_out_law::fixed) {
        const auto whole = static_cast<std::uint32_t>(p.fan_out);
        return whole + (random.uniform() < p.fan_out - whole ? 1 : 0);
    }
    std::uint32_t n = 1;
    while (n < most && !random.bernoulli(1 / p.fan_out)) ++n;
    return n;
}

}  // namespace

config::schema<multicast_parameters> multicast_fields() {
    using P = multicast_parameters;
    config::schema<P> all;
    all.text("file", &P::file,
             "entries; a relative name is taken from the folder of the configuration file; left out: they "
             "are built, from the parameters that follow")
        .number("fan_out", &P::fan_out, 1, 1e6, "nodes", "mean number of targets of a node")
        .choice("fan_outs", &P::fan_outs,
                {{"fixed", fan_out_law::fixed}, {"geometric", fan_out_law::geometric}},
                "of all nodes the same (a part of one by chance), or drawn by a geometric law")
        .number("decay", &P::decay, 1e-6, 1, "",
                "a node one hop further off is so many times as likely to be a target; 1: all are alike")
        .number("radius", &P::radius, 0, 65535, "hops", "no target is further off; 0: all are within reach")
        .choice("order", &P::order,
                {{"longest_first", hop_order::longest_first}, {"dimension", hop_order::dimension}},
                "of hops on the way to a target: along the axis with most of them first, or east-west, "
                "diagonal, north-south")
        .flag("default_routes", &P::default_routes,
              "entries by which packets go straight on are left out of what is built")
        .number("entries", &P::entries, 0, 1e9, "entries", "most that a router's table holds; 0: any number")
        .number("seed", &P::seed, 0, 9.2e18, "", "of the targets and their trees");
    return all;
}

triangular_paths::triangular_paths(std::uint32_t w, std::uint32_t h)
    : m_w(w), m_h(h), m_paths(std::size_t{w} * h), m_first_link(m_paths.size()) {
    for (std::uint32_t r = 0; r < m_paths.size(); ++r) {
        std::vector<hops>& found = m_paths[r];
        for (const std::int32_t back_x : {0, 1})
            for (const std::int32_t back_y : {0, 1}) {
                const auto x = static_cast<std::int32_t>(r % w) - back_x * static_cast<std::int32_t>(w);
                const auto y = static_cast<std::int32_t>(r / w) - back_y * static_cast<std::int32_t>(h);
                const std::int32_t least = std::min(std::abs(x), std::abs(y));
                const std::int32_t diagonal = (x < 0) != (y < 0) ? 0 : x < 0 ? -least : least;
                const hops path{x - diagonal, diagonal, y - diagonal};
                if (!found.empty() && length(path) > length(found.front())) continue;
                if (!found.empty() && length(path) < length(found.front())) found.clear();
                if (std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
            }
        for (std::uint32_t a = 3; a-- != 0;)
            if (const std::int32_t n = found.front()[a]; n != 0)
                m_first_link[r] = static_cast<std::uint8_t>(link_along(a, n));
    }
}

std::uint32_t triangular_paths::length(const hops& h) {
    return static_cast<std::uint32_t>(std::abs(h[0]) + std::abs(h[1]) + std::abs(h[2]));
}

multicast_table build_multicast(const topology& net, const triangular_paths& paths,
                                const multicast_parameters& p, const config::value& section) {
    const triangular_shape shape = triangular_shape_of(net, section, "'multicast'");
    target_source source(shape, paths, p);
    if (p.fan_outs == fan_out_law::fixed && p.fan_out > source.others())
        throw config::error(place(section, "fan_out"),
                            fmt::format("'fan_out' is {}; a node has {} others within reach",
                                        config::number_text(p.fan_out), source.others()));
    multicast_table table(net, place(section, "function"));
    tree t(table, net.routers(), shape.nodes_each, p.order);
    std::vector<std::uint32_t> targets;
    for (std::uint32_t s = 0; s < net.nodes(); ++s) {
        rng random(p.seed, stream::routing, s);
        const std::uint32_t router = s / shape.nodes_each;
        source.draw(s, draw_fan_out(p, random, source.others()), random, targets);
        t.begin(router);
        std::uint64_t links = 0;
        for (const std::uint32_t to : targets) {
            const auto& all = paths.paths(router, to / shape.nodes_each);
            links += triangular_paths::length(all.front());
            const auto k = all.size() == 1 ? 0 : random.below(static_cast<std::uint32_t>(all.size()));
            t.add(to, all[k]);
        }
        table.set_unicast_links(s, links);
        for (const std::uint32_t r : t.routers())
            p.default_routes&& t.goes_straight(r) ? table.leave_out() : table.add(r, s, t.ports(r));
    }
    table.finish([](std::uint32_t, std::uint32_t) {});
    return table;
}

}  // namespace sare
