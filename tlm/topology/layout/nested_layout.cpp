// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/layout/nested_layout.h"

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

/// To the right and below of the router that it is a node of: clear of rows and columns.
constexpr double beside = 0.8;

}  // namespace

nested_layout::nested_layout(const hierarchy_shape& shape, std::unique_ptr<layout> outer,
                             std::unique_ptr<layout> inner)
    : m_shape(shape), m_outer(std::move(outer)), m_inner(std::move(inner)) {
    const spot first = m_inner->of(router_id(0));
    point low{first.x, first.y}, high = low;
    for (std::uint32_t r = 1; r < shape.inner->routers(); ++r) {
        const spot at = m_inner->of(router_id(r));
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    m_centre = {(low.x + high.x) / 2, (low.y + high.y) / 2};
    m_size = {high.x - low.x, high.y - low.y};
    std::vector<std::uint32_t> nodes(shape.outer->routers(), 0);
    for (std::uint32_t copy = 0; copy < shape.copies(); ++copy) m_place.push_back(nodes[beside_of(copy)]++);
    const double step = m_size.x + 1;
    for (double& x : m_place) x = beside + m_size.x / 2 + x * step;
    const double widest = *std::max_element(nodes.begin(), nodes.end()) * step;
    m_spread =
        std::sqrt(2.0) * (std::max(widest, m_size.y + 1) + beside);  // whatever way the nearest router lies
}

std::uint32_t nested_layout::beside_of(std::uint32_t copy) const {
    return m_shape.outer->router_of(node_id(m_shape.outer_node(copy, 0))).value;
}

spot nested_layout::of(router_id r) const {
    if (m_shape.is_outer(r.value)) {
        const spot at = m_outer->of(r);
        return {at.x * m_spread, at.y * m_spread, 0};
    }
    const std::uint32_t copy = m_shape.copy_of(r.value);
    const spot above = m_outer->of(router_id(beside_of(copy)));
    const spot at = m_inner->of(router_id(m_shape.place_of(r.value)));
    return {above.x * m_spread + m_place[copy] + at.x - m_centre.x,
            above.y * m_spread - beside - m_size.y / 2 + at.y - m_centre.y, 0};
}

/// Links to and from gateways are drawn whole.
std::optional<double> nested_layout::stub(router_id r, port_id p) const {
    const bool outer = m_shape.is_outer(r.value);
    const topology& network = outer ? *m_shape.outer : *m_shape.inner;
    const router_id inside = outer ? r : router_id(m_shape.place_of(r.value));
    if (network.peer(inside, p).what != port_peer::kind::router) return std::nullopt;
    return (outer ? m_outer : m_inner)->stub(inside, p);
}

}  // namespace sare
