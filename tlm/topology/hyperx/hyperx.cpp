// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/hyperx/hyperx.h"

#include "tlm/topology/layout/layouts.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sare::variants::hyperx {
namespace {

struct hyperx_parameters : link_parameters {
    hyperx_parameters();  // not inline: see grid_parameters
    std::vector<std::uint32_t> dims;
    std::uint32_t concentration = 4;
};

hyperx_parameters::hyperx_parameters() : dims{4, 4} {}

/// Links along the first two dimensions are whole, those to other planes stubs, fanned out by how far they
/// lead.
class hyperx_layout final : public plane_layout {
  public:
    explicit hyperx_layout(const hyperx_shape& shape) : plane_layout(shape.dims), m_shape(shape) {}

    std::optional<double> stub(router_id r, port_id p) const override {
        if (p.value >= m_shape.router_ports()) return std::nullopt;
        const auto [d, number, stride] = m_shape.way(p.value);
        if (d < 2) return std::nullopt;
        const std::uint32_t k = m_shape.dims[d], c = r.value / stride % k,
                            to = number < c ? number : number + 1;
        const double fan = 30.0 / k, turn = fan * (to > c ? to - c - 1.0 : c - to - 1.0);
        return std::fmod(degrees(step(d)) + (to > c ? 0 : 180) + turn, 360);
    }

  private:
    const hyperx_shape& m_shape;
};

class hyperx final : public topology {
  public:
    hyperx(const char* name, const hyperx_parameters& p, std::uint32_t routers)
        : m_name(name), m_links(p), m_routers(routers), m_router_ports(0) {
        m_shape.dims = p.dims;
        m_shape.concentration = p.concentration;
        m_router_ports = m_shape.router_ports();
    }

    std::string name() const override { return m_name; }
    std::uint32_t nodes() const override { return m_routers * m_shape.concentration; }
    std::uint32_t routers() const override { return m_routers; }
    std::uint32_t ports(router_id) const override { return m_router_ports + m_shape.concentration; }

    port_peer peer(router_id r, port_id p) const override {
        if (p.value >= ports(r)) return {};
        if (p.value >= m_router_ports)
            return {port_peer::kind::node, r.value * m_shape.concentration + p.value - m_router_ports, 0};
        const auto [d, n, stride] = m_shape.way(p.value);
        const std::uint32_t c = r.value / stride % m_shape.dims[d], to = n < c ? n : n + 1;
        return {port_peer::kind::router, r.value - c * stride + to * stride,
                p.value - n + hyperx_shape::port_to(to, c)};
    }

    link_attributes link(router_id, port_id p) const override {
        return p.value < m_router_ports ? m_links.link() : m_links.node_link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(n.value / m_shape.concentration); }
    port_id port_of(node_id n) const override {
        return port_id(m_router_ports + n.value % m_shape.concentration);
    }
    const network_shape* shape() const override { return &m_shape; }

    std::unique_ptr<layout> picture() const override {
        const auto lines =
            std::count_if(m_shape.dims.begin(), m_shape.dims.end(), [](auto k) { return k > 1; });
        if (lines < 2) return std::make_unique<circle_layout>(m_routers);
        return std::make_unique<hyperx_layout>(m_shape);
    }

    closed_forms known() const override {
        closed_forms known{0, 0.0, std::nullopt};
        for (const std::uint32_t k : m_shape.dims) {
            if (k == 1) continue;
            *known.diameter += 1;
            *known.mean_distance += (k - 1.0) / k;
        }
        if (m_routers % 2 == 0) known.bisection = 2 * links_of_first(m_routers / 2);
        return known;
    }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), nodes()}};
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        std::uint32_t links = 0, a = from.value, b = to.value;
        for (const std::uint32_t k : m_shape.dims) {
            if (a % k != b % k) ++links;
            a /= k;
            b /= k;
        }
        sum.add(m_links.link(), links);
    }

  private:
    /// Links that lead out of `count` routers taken line by line, along the largest dimension first: no other
    /// `count` have fewer (J. Lindsey, "Assignment of numbers to vertices", 1964).
    std::uint64_t links_of_first(std::uint64_t count) const {
        auto dims = m_shape.dims;
        std::sort(dims.begin(), dims.end());
        std::uint64_t layer = m_routers, links = 0;
        for (const std::uint64_t k : dims) {
            layer /= k;
            const std::uint64_t full = count / layer, rest = count % layer;
            links += rest * (full + 1) * (k - full - 1) + (layer - rest) * full * (k - full);
            count = rest;
        }
        return links;
    }

    const char* m_name;
    hyperx_shape m_shape;
    link_parameters m_links;
    std::uint32_t m_routers, m_router_ports;
};

config::schema<hyperx_parameters> fields() {
    config::schema<hyperx_parameters> all;
    all.integers("dims", &hyperx_parameters::dims, 1, most_ports, "routers",
                 "size of each dimension, along which each two routers are linked; dimension 0 varies "
                 "fastest in router numbers")
        .number("concentration", &hyperx_parameters::concentration, 1, most_ports, "nodes",
                concentration_sentence)
        .include(link_fields());
    return all;
}

/// `at`, `dims`: place and text of the sizes, for errors.
topology* make_named(const char* name, const hyperx_parameters& p, const config::location& at,
                     const std::string& dims) {
    std::uint64_t routers = 1, ports = p.concentration;
    for (const std::uint32_t k : p.dims) {
        routers *= k;
        ports += k - 1;
        if (routers > most_routers)
            throw config::error(at, fmt::format("{}: more than {} routers", dims, most_routers));
    }
    if (ports > most_ports)
        throw config::error(at, fmt::format("{} and 'concentration' {}: {} ports; a router has at most {}",
                                            dims, p.concentration, ports, most_ports));
    if (routers * p.concentration > most_nodes)
        throw config::error(at, fmt::format("{} and 'concentration' {}: more than {} nodes", dims,
                                            p.concentration, most_nodes));
    return new hyperx(name, p, static_cast<std::uint32_t>(routers));
}

topology* make(const hyperx_parameters& p, const config::value& section) {
    const auto at = place(section, "dims");
    if (p.dims.empty()) throw config::error(at, "'dims' is empty; give the size of at least one dimension");
    return make_named("hyperx", p, at, "'dims' is " + list_text(p.dims));
}

const config::registration<topology> registered{
    "hyperx",
    "A grid with a link between each two routers of a line; of equal dimensions: the flattened butterfly.",
    fields(), make};

struct full_parameters : link_parameters {
    std::uint32_t n = 8, concentration = 1;
};

config::schema<full_parameters> full_fields() {
    config::schema<full_parameters> all;
    all.number("n", &full_parameters::n, 1, most_ports, "routers", "routers, each linked to all others")
        .number("concentration", &full_parameters::concentration, 1, most_ports, "nodes",
                concentration_sentence)
        .include(link_fields());
    return all;
}

/// A HyperX of one dimension.
struct full_network : config::registration<topology> {
    explicit full_network(const char* name, const char* sentence)
        : registration(name, sentence, full_fields(),
                       [name](const full_parameters& p, const config::value& section) {
                           hyperx_parameters all;
                           static_cast<link_parameters&>(all) = p;
                           all.dims = {p.n};
                           all.concentration = p.concentration;
                           return make_named(name, all, place(section, "n"), fmt::format("'n' is {}", p.n));
                       }) {}
};

const full_network full_networks[] = {
    full_network("fully_connected", "A link between each two routers: a HyperX of one dimension."),
    full_network("clique", "Another name of fully_connected."),
    full_network("pt2pt", "Another name of fully_connected.")};

}  // namespace
}  // namespace sare::variants::hyperx
