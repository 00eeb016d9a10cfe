// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/dragonfly/dragonfly.h"

#include "tlm/topology/layout/layouts.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {

link_attributes group_link_parameters::global_link() const {
    link_attributes global = link();
    if (global_link_latency != 1 || latency == 0) global.set_latency(global_link_latency);
    if (global_latency > 0) global.picoseconds = link_picoseconds(global_latency);
    global.latency_follows = global_link_latency == 1 && global.picoseconds != link_attributes::in_cycles;
    return global;
}

config::schema<group_link_parameters> group_link_fields() {
    using p = group_link_parameters;
    config::schema<p> all;
    all.number("global_link_latency", &p::global_link_latency, 1, most_link_cycles, "cycles",
               "time of a flit on a link between groups")
        .number("global_latency", &p::global_latency, 0, most_link_seconds, "s, in whole ps",
                "latency of a link between groups as a time, as for latency; 0: latency, or without that "
                "global_link_latency")
        .include(link_fields());
    return all;
}

}  // namespace sare

namespace sare::variants::dragonfly {
namespace {

struct dragonfly_parameters : group_link_parameters {
    std::uint32_t p = 4, a = 8, h = 4, g = 33;
};

class dragonfly final : public topology {
  public:
    dragonfly(const dragonfly_shape& shape, const dragonfly_parameters& p)
        : m_shape(shape), m_links(p), m_global(p.global_link()) {}

    std::string name() const override { return "dragonfly"; }
    std::uint32_t nodes() const override { return routers() * m_shape.p; }
    std::uint32_t routers() const override { return m_shape.a * m_shape.g; }
    std::uint32_t ports(router_id) const override { return m_shape.first_node_port() + m_shape.p; }

    port_peer peer(router_id r, port_id p) const override {
        const std::uint32_t group = r.value / m_shape.a, x = r.value % m_shape.a;
        if (p.value >= ports(r)) return {};
        if (p.value >= m_shape.first_node_port())
            return {port_peer::kind::node, r.value * m_shape.p + p.value - m_shape.first_node_port(), 0};
        if (p.value >= m_shape.a - 1) return beyond(group, x * m_shape.h + p.value - (m_shape.a - 1));
        const std::uint32_t to = p.value < x ? p.value : p.value + 1;
        return {port_peer::kind::router, group * m_shape.a + to, dragonfly_shape::local_port(to, x)};
    }

    link_attributes link(router_id, port_id p) const override {
        if (p.value >= m_shape.first_node_port()) return m_links.node_link();
        return p.value >= m_shape.a - 1 ? m_global : m_links.link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(n.value / m_shape.p); }
    port_id port_of(node_id n) const override {
        return port_id(m_shape.first_node_port() + n.value % m_shape.p);
    }
    const network_shape* shape() const override { return &m_shape; }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        const std::uint32_t a = from.value / m_shape.a, b = to.value / m_shape.a;
        if (a == b) return sum.add(m_links.link(), from == to ? 0 : 1);
        std::uint32_t local = 2;
        for (std::uint32_t copy = 0; copy < m_shape.links_of_pair(); ++copy) {
            const std::uint32_t out = m_shape.global_link(a, b, copy) / m_shape.h;
            const std::uint32_t in = m_shape.global_link(b, a, copy) / m_shape.h;
            const std::uint32_t hops = (from.value % m_shape.a != out) + (to.value % m_shape.a != in);
            local = std::min(local, hops);
        }
        sum.add(m_links.link(), local);
        sum.add(m_global);
    }
    closed_forms known() const override { return {std::nullopt, std::nullopt, bisection()}; }
    std::unique_ptr<layout> picture() const override {
        return std::make_unique<circle_of_groups>(m_shape.g, m_shape.a,
                                                  [](std::uint32_t i) { return fmt::format("group {}", i); });
    }

  private:
    /// The cut between two halves of the groups, where it is the best: m g^2 / 4 links. Let any other halving
    /// have T routers apart from most of their group. To put them with it would cost h T links at most; it
    /// would leave g^2 / 4 - d^2 pairs of groups cut, d <= T / a and d <= g / 2, and spare the T a / 2 links
    /// at least within groups: no other is better with a / 2 >= h + m g / 2a. Balanced dragonflies have a
    /// smaller a.
    std::optional<std::uint64_t> bisection() const {
        const std::uint64_t a = m_shape.a, g = m_shape.g, m = m_shape.links_of_pair();
        if (g == 1 && a % 2 == 0) return a * a / 2;
        if (g % 2 != 0 || a * a < 2 * a * m_shape.h + m * g) return std::nullopt;
        return m * g * g / 2;
    }
    /// What global link l of a group leads to.
    port_peer beyond(std::uint32_t group, std::uint32_t l) const {
        const auto [to, back, leads_on] = m_shape.other_end(group, l);
        if (!leads_on) return {};
        return {port_peer::kind::router, to * m_shape.a + back / m_shape.h, m_shape.a - 1 + back % m_shape.h};
    }

    dragonfly_shape m_shape;
    link_parameters m_links;
    link_attributes m_global;
};

config::schema<dragonfly_parameters> fields() {
    using d = dragonfly_parameters;
    config::schema<d> all;
    all.number("p", &d::p, 1, most_ports, "nodes", concentration_sentence)
        .number("a", &d::a, 1, most_ports, "routers", "routers of a group, each linked to all others")
        .number("h", &d::h, 1, most_ports, "links", "global links of each router, to other groups")
        .number("g", &d::g, 1, most_ports * most_ports, "groups",
                "at most a * h + 1, one for each global link of a group and itself, which is so where it is "
                "left out; with fewer, each two groups have several links")
        .follows("g", [](d& parameters) { parameters.g = parameters.a * parameters.h + 1; })
        .include(group_link_fields());
    return all;
}

topology* make(const dragonfly_parameters& p, const config::value& section) {
    const auto number = [](std::uint32_t n) { return std::to_string(n); };
    dragonfly_shape shape;
    shape.p = p.p;
    shape.a = p.a;
    shape.h = p.h;
    shape.g = p.g;
    if (shape.first_node_port() + p.p > most_ports)
        throw config::error(place(section, "p"),
                            "'p' is " + number(p.p) + ", 'a' " + number(p.a) + " and 'h' " + number(p.h) +
                                ": " + number(shape.first_node_port() + p.p) +
                                " ports, p + a - 1 + h; a router has at most " + number(most_ports));
    if (p.g > p.a * p.h + 1)
        throw config::error(place(section, "g"), "'g' is " + number(p.g) + "; a group has " +
                                                     number(p.a * p.h) +
                                                     " global links, a * h, so there are at most " +
                                                     number(p.a * p.h + 1) + " groups");
    const std::uint64_t routers = std::uint64_t{p.a} * p.g;
    if (routers > most_routers)
        throw config::error(place(section, "a"), fmt::format("'a' is {} and 'g' {}: more than {} routers",
                                                             p.a, p.g, most_routers));
    if (routers * p.p > most_nodes)
        throw config::error(
            place(section, "p"),
            fmt::format("'p' is {}, 'a' {} and 'g' {}: more than {} nodes", p.p, p.a, p.g, most_nodes));
    return new dragonfly(shape, p);
}

const config::registration<topology> registered{"dragonfly",
                                                "Groups of routers, each a full graph, with global links "
                                                "between each two groups; balanced when a = 2p = 2h.",
                                                fields(), make};

}  // namespace
}  // namespace sare::variants::dragonfly
