// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/dragonfly/dragonfly_plus.h"

#include "tlm/topology/layout/layouts.h"

#include <fmt/format.h>

namespace sare::variants::dragonfly_plus {
namespace {

struct dragonfly_plus_parameters : group_link_parameters {
    std::uint32_t p = 4, l = 4, s = 4, h = 4, g = 17;
};

class dragonfly_plus final : public topology {
  public:
    dragonfly_plus(const dragonfly_plus_shape& shape, const group_link_parameters& p)
        : m_shape(shape), m_spines(shape.spines), m_links(p), m_global(p.global_link()) {}

    std::string name() const override { return "dragonfly_plus"; }
    std::uint32_t nodes() const override { return m_spines.g * m_shape.leaves * m_shape.p; }
    std::uint32_t routers() const override { return m_spines.g * m_shape.routers(); }
    std::uint32_t ports(router_id r) const override {
        return is_leaf(r) ? m_spines.a + m_shape.p : m_shape.leaves + m_spines.h;
    }

    port_peer peer(router_id r, port_id p) const override {
        if (p.value >= ports(r)) return {};
        const std::uint32_t x = r.value % m_shape.routers(), first = r.value - x;
        if (is_leaf(r)) {
            if (p.value < m_spines.a) return {port_peer::kind::router, first + m_shape.leaves + p.value, x};
            return {port_peer::kind::node, first_node(r) + p.value - m_spines.a, 0};
        }
        const std::uint32_t spine = x - m_shape.leaves;
        if (p.value < m_shape.leaves) return {port_peer::kind::router, first + p.value, spine};
        const auto [to, back, leads_on] =
            m_spines.other_end(r.value / m_shape.routers(), spine * m_spines.h + p.value - m_shape.leaves);
        if (!leads_on) return {};
        return {port_peer::kind::router, to * m_shape.routers() + m_shape.leaves + back / m_spines.h,
                m_shape.leaves + back % m_spines.h};
    }

    link_attributes link(router_id r, port_id p) const override {
        if (is_leaf(r)) return p.value < m_spines.a ? m_links.link() : m_links.node_link();
        return p.value < m_shape.leaves ? m_links.link() : m_global;
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(m_shape.leaf_of(n.value)); }
    port_id port_of(node_id n) const override { return port_id(m_spines.a + n.value % m_shape.p); }
    const network_shape* shape() const override { return &m_shape; }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        if (!is_leaf(from) || !is_leaf(to)) return topology::add_path(from, to, sum);
        if (from == to) return;
        sum.add(m_links.link(), 2);
        if (from.value / m_shape.routers() != to.value / m_shape.routers()) sum.add(m_global);
    }
    closed_forms known() const override {
        const double g = m_spines.g, l = m_shape.leaves;
        const std::uint32_t within = m_shape.leaves > 1 ? 2 : 0;
        return {m_spines.g > 1 ? 3 : within, 2 * (l - 1) / (g * l) + 3 * (g - 1) / g, std::nullopt};
    }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), nodes()}};
    }
    std::unique_ptr<layout> picture() const override {
        return std::make_unique<circle_of_groups>(m_spines.g, m_shape.routers(),
                                                  [](std::uint32_t i) { return fmt::format("group {}", i); });
    }

  private:
    bool is_leaf(router_id r) const { return r.value % m_shape.routers() < m_shape.leaves; }
    std::uint32_t first_node(router_id leaf) const {
        const std::uint32_t x = leaf.value % m_shape.routers();
        return (leaf.value / m_shape.routers() * m_shape.leaves + x) * m_shape.p;
    }

    dragonfly_plus_shape m_shape;
    dragonfly_shape m_spines;  ///< m_shape.spines
    link_parameters m_links;
    link_attributes m_global;
};

config::schema<dragonfly_plus_parameters> fields() {
    using d = dragonfly_plus_parameters;
    config::schema<d> all;
    all.number("p", &d::p, 1, most_ports, "nodes", "nodes at each leaf router")
        .number("l", &d::l, 1, most_ports, "routers",
                "leaf routers of a group, each linked to all its spines")
        .number("s", &d::s, 1, most_ports, "routers", "spine routers of a group")
        .number("h", &d::h, 1, most_ports, "links", "global links of each spine, to other groups")
        .number("g", &d::g, 1, most_ports * most_ports, "groups",
                "at most s * h + 1, which is so where it is left out; with fewer, each two groups have "
                "several links")
        .follows("g", [](d& parameters) { parameters.g = parameters.s * parameters.h + 1; })
        .include(group_link_fields());
    return all;
}

topology* make(const dragonfly_plus_parameters& p, const config::value& section) {
    if (p.s + p.p > most_ports || p.l + p.h > most_ports)
        throw config::error(
            place(section, "p"),
            fmt::format("a leaf has s + p = {} ports and a spine l + h = {}; a router has at most {}",
                        p.s + p.p, p.l + p.h, most_ports));
    if (p.g > p.s * p.h + 1)
        throw config::error(
            place(section, "g"),
            fmt::format("'g' is {}; a group has {} global links, s * h, so there are at most {} groups", p.g,
                        p.s * p.h, p.s * p.h + 1));
    const std::uint64_t routers = std::uint64_t{p.g} * (p.l + p.s), nodes = std::uint64_t{p.g} * p.l * p.p;
    if (routers > most_routers || nodes > most_nodes)
        throw config::error(place(section, "g"),
                            fmt::format("'g' is {}: {} routers and {} nodes; at most {} and {}", p.g, routers,
                                        nodes, most_routers, most_nodes));
    dragonfly_plus_shape shape;
    shape.p = p.p;
    shape.leaves = p.l;
    shape.spines.p = 0;
    shape.spines.a = p.s;
    shape.spines.h = p.h;
    shape.spines.g = p.g;
    return new dragonfly_plus(shape, p);
}

const config::registration<topology> registered{
    "dragonfly_plus",
    "Groups of two levels, leaf routers with the nodes and spine routers with global links between each two "
    "groups (also called Megafly).",
    fields(), make};

}  // namespace
}  // namespace sare::variants::dragonfly_plus
