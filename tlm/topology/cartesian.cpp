// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/cartesian.h"

#include <limits>

namespace sare {
namespace {

std::string list_text(const std::vector<std::uint32_t>& dims) {
    std::string all;
    for (const auto k : dims) all += (all.empty() ? "" : ", ") + std::to_string(k);
    return "[" + all + "]";
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

cartesian::cartesian(std::string name, grid_shape shape, const link_parameters& links,
                     const config::value& section)
    : m_name(std::move(name)), m_shape(std::move(shape)), m_links(links) {
    const auto at = place(section, "dims");
    const auto& dims = m_shape.dims;
    if (dims.empty()) throw config::error(at, "'dims' is empty; give the size of at least one dimension");
    std::uint64_t routers = 1;
    for (const auto k : dims) {
        m_stride.push_back(static_cast<std::uint32_t>(routers));
        routers *= k;
        if (routers > most_routers)
            throw config::error(at, "'dims' is " + list_text(dims) + ": more than " +
                                        std::to_string(most_routers) + " routers");
    }
    m_routers = static_cast<std::uint32_t>(routers);
    if (m_shape.router_ports() + m_shape.concentration > most_ports)
        throw config::error(at, "'dims' has " + std::to_string(dims.size()) +
                                    " dimensions and 'concentration' is " +
                                    std::to_string(m_shape.concentration) + ": " +
                                    std::to_string(m_shape.router_ports() + m_shape.concentration) +
                                    " ports; a router has at most " + std::to_string(most_ports));
    if (routers * m_shape.concentration > most_nodes)
        throw config::error(at, "'dims' is " + list_text(dims) + " and 'concentration' is " +
                                    std::to_string(m_shape.concentration) + ": more than " +
                                    std::to_string(most_nodes) + " nodes");
    if (m_shape.wrap.size() == 1) m_shape.wrap.assign(dims.size(), m_shape.wrap.front());
    if (m_shape.wrap.size() != dims.size())
        throw config::error(place(section, "wrap"), "'wrap' has " + std::to_string(m_shape.wrap.size()) +
                                                        " flags for " + std::to_string(dims.size()) +
                                                        " dimensions; give one for each, or one for all");
    for (std::size_t d = 0; d < dims.size(); ++d)
        if (m_shape.unidirectional && !m_shape.wrap[d] && dims[d] > 1)
            throw config::error(place(section, "unidirectional"),
                                "'unidirectional' is true and dimension " + std::to_string(d) +
                                    " does not wrap; one-way links need every dimension closed to a ring");
}

std::optional<std::uint32_t> cartesian::neighbour(std::uint32_t r, std::uint32_t d, bool negative) const {
    const std::uint32_t k = m_shape.dims[d], stride = m_stride[d], c = r / stride % k;
    if (k == 1) return std::nullopt;
    if (!negative && c + 1 < k) return r + stride;
    if (negative && c > 0) return r - stride;
    if (!m_shape.wrap[d]) return std::nullopt;
    return negative ? r + (k - 1) * stride : r - (k - 1) * stride;
}

port_peer cartesian::node_at(std::uint32_t r, std::uint32_t p) const {
    const std::uint32_t k = p - m_shape.router_ports();
    if (k >= m_shape.concentration) return {};
    return {port_peer::kind::node, r * m_shape.concentration + k, 0};
}

port_peer cartesian::peer(router_id r, port_id p) const {
    if (p.value >= m_shape.router_ports()) return node_at(r.value, p.value);
    const bool one_way = m_shape.unidirectional;
    const auto to = neighbour(r.value, one_way ? p.value : p.value / 2, !one_way && p.value % 2 == 1);
    if (!to) return {};
    return {port_peer::kind::router, *to, one_way ? p.value : p.value ^ 1};
}

port_peer cartesian::source(router_id r, port_id p) const {
    if (!m_shape.unidirectional || p.value >= m_shape.router_ports()) return peer(r, p);
    const auto from = neighbour(r.value, p.value, true);
    if (!from) return {};
    return {port_peer::kind::router, *from, p.value};
}

closed_forms cartesian::known() const {
    // Dally & Towles, ch. 5.2; the mean over a dimension counts the pairs of a router with itself.
    std::uint32_t diameter = 0;
    double mean = 0;
    for (std::size_t d = 0; d < m_shape.dims.size(); ++d) {
        const double k = m_shape.dims[d];
        if (m_shape.unidirectional) {
            diameter += m_shape.dims[d] - 1;
            mean += (k - 1) / 2;
        } else if (m_shape.wrap[d]) {
            diameter += m_shape.dims[d] / 2;
            mean += m_shape.dims[d] % 2 == 0 ? k / 4 : (k * k - 1) / (4 * k);
        } else {
            diameter += m_shape.dims[d] - 1;
            mean += (k * k - 1) / (3 * k);
        }
    }
    return {diameter, mean, bisection()};
}

std::optional<std::uint64_t> cartesian::bisection() const {
    // Halving across dimension d cuts each of its routers / k lines once (chain) or twice (ring). The best
    // cut is the cheapest dimension's, a plane if its size is even; for an odd size no formula is claimed.
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    bool even = false;
    for (std::size_t d = 0; d < m_shape.dims.size(); ++d) {
        if (m_shape.dims[d] == 1) continue;
        const std::uint64_t cut = std::uint64_t{m_routers} / m_shape.dims[d] * (m_shape.wrap[d] ? 2 : 1) *
                                  (m_shape.unidirectional ? 1 : 2);
        if (cut > best) continue;
        even = m_shape.dims[d] % 2 == 0 || (cut == best && even);
        best = cut;
    }
    if (!even) return std::nullopt;
    return best;
}

std::vector<std::pair<node_id, std::uint32_t>> cartesian::node_classes() const {
    // A ring looks the same from everywhere, a chain from c and k-1-c.
    std::vector<std::pair<node_id, std::uint32_t>> classes{{node_id(0), m_shape.concentration}};
    for (std::size_t d = 0; d < m_shape.dims.size(); ++d) {
        const std::uint32_t k = m_shape.dims[d];
        if (m_shape.wrap[d]) {
            for (auto& c : classes) c.second *= k;
            continue;
        }
        std::vector<std::pair<node_id, std::uint32_t>> folded;
        for (std::uint32_t c = 0; c < (k + 1) / 2; ++c)
            for (const auto& [n, count] : classes)
                folded.emplace_back(node_id(n.value + c * m_stride[d] * m_shape.concentration),
                                    c == k - 1 - c ? count : 2 * count);
        classes = std::move(folded);
    }
    return classes;
}

}  // namespace sare
