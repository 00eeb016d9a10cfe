// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/coordinate_network.h"

#include <fmt/format.h>

#include <cmath>

namespace sare {
namespace {

std::vector<std::vector<std::uint32_t>> each_alone(std::size_t dimensions) {
    std::vector<std::vector<std::uint32_t>> along;
    for (std::uint32_t d = 0; d < dimensions; ++d) along.push_back({d});
    return along;
}

}  // namespace

grid_parameters::grid_parameters() : dims{8, 8} {}

config::schema<grid_parameters> grid_fields() {
    config::schema<grid_parameters> fields;
    fields
        .integers("dims", &grid_parameters::dims, 1, 65536, "routers",
                  "size of each dimension; dimension 0 varies fastest in router numbers")
        .number("concentration", &grid_parameters::concentration, 1, most_ports, "nodes",
                concentration_sentence)
        .include(link_fields());
    return fields;
}

coordinate_network::coordinate_network(std::string name, const coordinate_shape& layout,
                                       const link_parameters& links, const config::value& section)
    : m_name(std::move(name)), m_layout(layout), m_links(links) {
    const auto at = place(section, "dims");
    const auto& dims = m_layout.dims;
    if (dims.empty()) throw config::error(at, "'dims' is empty; give the size of at least one dimension");
    std::uint64_t routers = 1;
    for (const auto k : dims) {
        m_stride.push_back(static_cast<std::uint32_t>(routers));
        routers *= k;
        if (routers > most_routers)
            throw config::error(
                at, fmt::format("'dims' is {}: more than {} routers", list_text(dims), most_routers));
    }
    m_routers = static_cast<std::uint32_t>(routers);
    if (m_layout.router_ports() + m_layout.concentration > most_ports)
        throw config::error(
            at, fmt::format(
                    "'dims' has {} dimensions and 'concentration' is {}: {} ports; a router has at most {}",
                    dims.size(), m_layout.concentration, m_layout.router_ports() + m_layout.concentration,
                    most_ports));
    if (routers * m_layout.concentration > most_nodes)
        throw config::error(at, fmt::format("'dims' is {} and 'concentration' is {}: more than {} nodes",
                                            list_text(dims), m_layout.concentration, most_nodes));
}

port_peer coordinate_network::node_at(std::uint32_t r, std::uint32_t p) const {
    const std::uint32_t k = p - m_layout.router_ports();
    if (k >= m_layout.concentration) return {};
    return {port_peer::kind::node, r * m_layout.concentration + k, 0};
}

port_peer coordinate_network::peer(router_id r, port_id p) const {
    if (p.value >= m_layout.router_ports()) return node_at(r.value, p.value);
    const std::uint32_t axis = m_layout.axis(p.value);
    const bool negative = p.value != m_layout.port(axis, false);
    const auto to = neighbour(r.value, axis, negative);
    if (!to) return {};
    return {port_peer::kind::router, *to, m_layout.port(axis, !negative)};
}

port_peer coordinate_network::source(router_id r, port_id p) const {
    if (!m_layout.unidirectional || p.value >= m_layout.router_ports()) return peer(r, p);
    const auto from = neighbour(r.value, p.value, true);
    if (!from) return {};
    return {port_peer::kind::router, *from, p.value};
}

coordinate_layout::coordinate_layout(const coordinate_network& net, const coordinate_shape& shape,
                                     std::vector<std::vector<std::uint32_t>> along, double skew)
    : plane_layout(shape.dims, skew), m_net(net), m_shape(shape), m_along(std::move(along)) {}

coordinate_layout::coordinate_layout(const coordinate_network& net, const coordinate_shape& shape)
    : coordinate_layout(net, shape, each_alone(shape.dims.size())) {}

std::optional<double> coordinate_layout::stub(router_id r, port_id p) const {
    const port_peer to = m_net.peer(r, p);
    if (to.what != port_peer::kind::router) return std::nullopt;
    const std::uint32_t axis = m_shape.axis(p.value);
    const double sign = p.value == m_shape.port(axis, false) ? 1 : -1;
    point way;
    for (const std::uint32_t d : m_along[axis]) {
        way.x += sign * step(d).x;
        way.y += sign * step(d).y;
    }
    const spot here = of(r), there = of(router_id(to.id));
    if (std::hypot(there.x - here.x - way.x, there.y - here.y - way.y) < 1e-6) return std::nullopt;
    return degrees(way);
}

}  // namespace sare
