// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/hyperx.h"

#include "tlm/topology/link_parameters.h"

#include <algorithm>

namespace sare {
namespace {

struct hyperx_parameters : link_parameters {
    hyperx_parameters();  // not inline: see grid_parameters
    std::vector<std::uint32_t> dims;
    std::uint32_t concentration = 4;
};

hyperx_parameters::hyperx_parameters() : dims{4, 4} {}

class hyperx final : public topology {
  public:
    hyperx(const hyperx_parameters& p, std::uint32_t routers)
        : m_links(p), m_routers(routers), m_router_ports(0) {
        m_shape.dims = p.dims;
        m_shape.concentration = p.concentration;
        m_router_ports = m_shape.router_ports();
    }

    std::string name() const override { return "hyperx"; }
    std::uint32_t nodes() const override { return m_routers * m_shape.concentration; }
    std::uint32_t routers() const override { return m_routers; }
    std::uint32_t ports(router_id) const override { return m_router_ports + m_shape.concentration; }

    port_peer peer(router_id r, port_id p) const override {
        if (p.value >= ports(r)) return {};
        if (p.value >= m_router_ports)
            return {port_peer::kind::node, r.value * m_shape.concentration + p.value - m_router_ports, 0};
        std::uint32_t first = 0, stride = 1, d = 0;
        for (; p.value >= first + m_shape.dims[d] - 1; ++d) {
            first += m_shape.dims[d] - 1;
            stride *= m_shape.dims[d];
        }
        const std::uint32_t c = r.value / stride % m_shape.dims[d], n = p.value - first;
        const std::uint32_t to = n < c ? n : n + 1;
        return {port_peer::kind::router, r.value - c * stride + to * stride,
                first + hyperx_shape::port_to(to, c)};
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

    closed_forms known() const override {
        closed_forms known{0, 0.0, std::nullopt};
        std::uint32_t least = 0;
        for (const std::uint32_t k : m_shape.dims) {
            if (k == 1) continue;
            *known.diameter += 1;
            *known.mean_distance += (k - 1.0) / k;
            least = least == 0 ? k : std::min(least, k);
        }
        // The best halving goes through the smallest dimension (J. Lindsey, 1964): k / 2 routers linked to
        // the k / 2 others on each of its lines, each way.
        if (least != 0 && least % 2 == 0) known.bisection = std::uint64_t{m_routers} * least / 2;
        return known;
    }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), nodes()}};
    }
    void add_way(router_id from, router_id to, way_sum& sum) const override {
        std::uint32_t links = 0, a = from.value, b = to.value;
        for (const std::uint32_t k : m_shape.dims) {
            if (a % k != b % k) ++links;
            a /= k;
            b /= k;
        }
        sum.add(m_links.link(), links);
    }

  private:
    hyperx_shape m_shape;
    link_parameters m_links;
    std::uint32_t m_routers, m_router_ports;
};

config::schema<hyperx_parameters> fields() {
    config::schema<hyperx_parameters> all;
    all.integers(
           "dims", &hyperx_parameters::dims, 1, most_ports, "routers",
           "size of each dimension, along which each two routers are linked; dimension 0 varies fastest "
           "in router numbers")
        .number("concentration", &hyperx_parameters::concentration, 1, most_ports, "nodes",
                concentration_sentence)
        .include(link_fields());
    return all;
}

topology* make(const hyperx_parameters& p, const config::value& section) {
    const auto at = place(section, "dims");
    if (p.dims.empty()) throw config::error(at, "'dims' is empty; give the size of at least one dimension");
    const std::string dims = "'dims' is " + list_text(p.dims);
    std::uint64_t routers = 1, ports = p.concentration;
    for (const std::uint32_t k : p.dims) {
        routers *= k;
        ports += k - 1;
        if (routers > most_routers)
            throw config::error(at, dims + ": more than " + std::to_string(most_routers) + " routers");
    }
    if (ports > most_ports)
        throw config::error(at, dims + " and 'concentration' " + std::to_string(p.concentration) + ": " +
                                    std::to_string(ports) + " ports; a router has at most " +
                                    std::to_string(most_ports));
    if (routers * p.concentration > most_nodes)
        throw config::error(at, dims + " and 'concentration' " + std::to_string(p.concentration) +
                                    ": more than " + std::to_string(most_nodes) + " nodes");
    return new hyperx(p, static_cast<std::uint32_t>(routers));
}

const config::registration<topology> registered{
    "hyperx",
    "A grid with a link between each two routers of a line; of equal dimensions: the flattened butterfly.",
    fields(), make};

}  // namespace
}  // namespace sare
