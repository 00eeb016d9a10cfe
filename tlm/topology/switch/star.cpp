// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/layout/layouts.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::variants::star {
namespace {

struct star_parameters : link_parameters {
    std::uint32_t n = 8;
    std::uint32_t concentration = 1;
};

/// The hub in the middle.
class star_layout final : public layout {
  public:
    explicit star_layout(std::uint32_t leaves) : m_leaves(leaves) {}
    spot of(router_id r) const override {
        if (r.value == 0) return {};
        const point at = on_circle(r.value - 1, std::max(m_leaves, 6U), 1);
        return {at.x, at.y, 0};
    }

  private:
    std::uint32_t m_leaves;
};

/// Router 0 is the hub, its port i leads to router i + 1, a leaf: port 0 to the hub, nodes on ports 1 and on.
class star final : public topology {
  public:
    explicit star(const star_parameters& p) : m_parameters(p) {}

    std::string name() const override { return "star"; }
    std::uint32_t nodes() const override { return m_parameters.n * m_parameters.concentration; }
    std::uint32_t routers() const override { return m_parameters.n + 1; }
    std::uint32_t ports(router_id r) const override {
        return r.value == 0 ? m_parameters.n : m_parameters.concentration + 1;
    }
    port_peer peer(router_id r, port_id p) const override {
        if (p.value >= ports(r)) return {};
        if (r.value == 0) return {port_peer::kind::router, p.value + 1, 0};
        if (p.value == 0) return {port_peer::kind::router, 0, r.value - 1};
        return {port_peer::kind::node, (r.value - 1) * m_parameters.concentration + p.value - 1, 0};
    }
    link_attributes link(router_id r, port_id p) const override {
        return r.value == 0 || p.value == 0 ? m_parameters.link() : m_parameters.node_link();
    }
    link_attributes injection_link(node_id) const override { return m_parameters.node_link(); }
    router_id router_of(node_id n) const override {
        return router_id(n.value / m_parameters.concentration + 1);
    }
    port_id port_of(node_id n) const override { return port_id(n.value % m_parameters.concentration + 1); }
    closed_forms known() const override {
        const std::uint32_t n = m_parameters.n;
        // Halving an even number of leaves cuts half of the link pairs at the hub.
        return {n > 1 ? 2U : 0U, 2.0 * (n - 1) / n,
                n % 2 == 0 ? std::optional<std::uint64_t>(n) : std::nullopt};
    }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), nodes()}};
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        if (from != to) sum.add(m_parameters.link(), from.value == 0 || to.value == 0 ? 1 : 2);
    }
    std::unique_ptr<layout> picture() const override { return std::make_unique<star_layout>(m_parameters.n); }

  private:
    star_parameters m_parameters;
};

config::schema<star_parameters> star_fields() {
    config::schema<star_parameters> fields;
    fields
        .number("n", &star_parameters::n, 1, most_routers - 1, "routers",
                "leaf routers around the hub: at most 1024 where fidelity is flit")
        .number("concentration", &star_parameters::concentration, 1, most_ideal_ports - 1, "nodes",
                concentration_sentence)
        .include(link_fields());
    return fields;
}

topology* make_star(const star_parameters& p, const config::value& section) {
    if (std::uint64_t{p.n} * p.concentration > most_nodes)
        throw config::error(place(section, "concentration"),
                            fmt::format("'n' is {} and 'concentration' is {}: more than {} nodes", p.n,
                                        p.concentration, most_nodes));
    return new star(p);
}

const config::registration<topology> registered{
    "star", "A hub router without nodes and n leaf routers: two links between nodes of different leaves.",
    star_fields(), make_star};

}  // namespace
}  // namespace sare::variants::star
