// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/step_network.h"

namespace sare {

step_network::step_network(std::string name, const step_shape& shape, const closed_forms& known,
                           const link_parameters& links, const config::value& section)
    : coordinate_network(std::move(name), shape, links, section), m_shape(shape), m_known(known) {}

bool step_network::one_link(std::uint32_t axis) const {
    if (!m_shape.one_link_back || m_shape.unidirectional) return false;
    for (std::size_t e = 0; e < m_shape.dims.size(); ++e)
        if (2 * std::uint64_t{m_shape.steps[axis][e]} % m_shape.dims[e] != 0) return false;
    return true;
}

std::unique_ptr<layout> step_network::picture() const {
    if (m_shape.dims.size() == 1) return std::make_unique<circle_layout>(routers());
    std::vector<std::vector<std::uint32_t>> along;
    for (const auto& step : m_shape.steps) {
        along.emplace_back();
        for (std::uint32_t d = 0; d < step.size(); ++d)
            if (step[d] != 0) along.back().push_back(d);
    }
    return std::make_unique<coordinate_layout>(*this, m_shape, std::move(along), -0.5);
}

port_peer step_network::peer(router_id r, port_id p) const {
    port_peer to = coordinate_network::peer(r, p);
    if (to.what == port_peer::kind::router && !m_shape.unidirectional && one_link(p.value / 2))
        to.port = p.value;
    return to;
}

/// All routers see the same: one search, from router 0, is for all.
void step_network::add_path(router_id from, router_id to, path_cost& sum) const {
    std::uint32_t offset = 0;
    for (std::uint32_t e = 0; e < m_shape.dims.size(); ++e) {
        const std::uint32_t k = m_shape.dims[e];
        offset += (to.value / stride(e) % k + k - from.value / stride(e) % k) % k * stride(e);
    }
    coordinate_network::add_path(router_id(0), router_id(offset), sum);
}

std::optional<std::uint32_t> step_network::neighbour(std::uint32_t r, std::uint32_t axis,
                                                     bool negative) const {
    if (negative && one_link(axis)) return std::nullopt;
    std::uint32_t to = 0;
    for (std::uint32_t e = 0; e < m_shape.dims.size(); ++e) {
        const std::uint32_t k = m_shape.dims[e], step = m_shape.steps[axis][e];
        to += (r / stride(e) % k + (negative ? k - step : step)) % k * stride(e);
    }
    if (to == r) return std::nullopt;
    return to;
}

}  // namespace sare
