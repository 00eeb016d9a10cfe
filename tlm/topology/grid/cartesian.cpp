// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/cartesian.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sare {

cartesian::cartesian(std::string name, const grid_shape& shape, const link_parameters& links,
                     const config::value& section)
    : coordinate_network(std::move(name), shape, links, section), m_shape(shape) {
    const auto& dims = m_shape.dims;
    if (m_shape.wrap.size() == 1) m_shape.wrap.assign(dims.size(), m_shape.wrap.front());
    if (m_shape.wrap.size() != dims.size())
        throw config::error(
            place(section, "wrap"),
            fmt::format("'wrap' has {} flags for {} dimensions; give one for each, or one for all",
                        m_shape.wrap.size(), dims.size()));
    for (std::size_t d = 0; d < dims.size(); ++d)
        if (m_shape.unidirectional && !m_shape.wrap[d] && dims[d] > 1)
            throw config::error(place(section, "unidirectional"),
                                fmt::format("'unidirectional' is true and dimension {} does not wrap; "
                                            "one-way links need every dimension closed to a ring",
                                            d));
}

std::optional<std::uint32_t> cartesian::neighbour(std::uint32_t r, std::uint32_t d, bool negative) const {
    const std::uint32_t k = m_shape.dims[d], step = stride(d), c = r / step % k;
    if (k == 1) return std::nullopt;
    if (!negative && c + 1 < k) return r + step;
    if (negative && c > 0) return r - step;
    if (!m_shape.wrap[d]) return std::nullopt;
    return negative ? r + (k - 1) * step : r - (k - 1) * step;
}

void cartesian::add_path(router_id from, router_id to, path_cost& sum) const {
    std::uint32_t links = 0, a = from.value, b = to.value;
    for (std::size_t d = 0; d < m_shape.dims.size(); ++d) {
        const std::uint32_t k = m_shape.dims[d], up = (b % k + k - a % k) % k, down = (k - up) % k;
        if (m_shape.unidirectional)
            links += up;
        else if (m_shape.wrap[d])
            links += std::min(up, down);
        else
            links += b % k < a % k ? down : up;
        a /= k;
        b /= k;
    }
    sum.add(links_between(), links);
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
        const std::uint64_t cut = std::uint64_t{routers()} / m_shape.dims[d] * (m_shape.wrap[d] ? 2 : 1) *
                                  (m_shape.unidirectional ? 1 : 2);
        if (cut > best) continue;
        even = m_shape.dims[d] % 2 == 0 || (cut == best && even);
        best = cut;
    }
    if (!even) return std::nullopt;
    return best;
}

std::unique_ptr<layout> cartesian::picture() const {
    std::size_t lines = 0, rings = 0;
    bool cube = m_shape.dims.size() > 2;
    for (std::size_t d = 0; d < m_shape.dims.size(); ++d) {
        if (m_shape.dims[d] > 1) ++(m_shape.wrap[d] ? rings : lines);
        cube = cube && m_shape.dims[d] == 2 && !m_shape.wrap[d];
    }
    if (lines == 0 && rings < 2) return std::make_unique<circle_layout>(routers());
    if (cube) return std::make_unique<folded_layout>();
    return std::make_unique<coordinate_layout>(*this, m_shape);
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
                folded.emplace_back(
                    node_id(n.value + c * stride(static_cast<std::uint32_t>(d)) * m_shape.concentration),
                    c == k - 1 - c ? count : 2 * count);
        classes = std::move(folded);
    }
    return classes;
}

}  // namespace sare
