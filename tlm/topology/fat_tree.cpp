// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/fat_tree.h"

#include <cmath>

namespace sare {
namespace {

std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
    std::uint64_t all = 1;
    for (std::uint32_t i = 0; i < exponent && all <= most_nodes; ++i) all *= base;
    return all;  // beyond most_nodes no longer exact
}

[[noreturn]] void too_many(const config::location& at, const tree_shape& shape, std::uint64_t most,
                           const char* what) {
    throw config::error(at, "'n' is " + std::to_string(shape.levels) + " levels of switches with " +
                                std::to_string(shape.down) + " ports down and " + std::to_string(shape.up) +
                                " up: more than " + std::to_string(most) + ' ' + what);
}

}  // namespace

fat_tree::fat_tree(std::string name, const tree_shape& shape, const link_parameters& links,
                   const config::value& section)
    : m_name(std::move(name)), m_shape(shape), m_links(links) {
    if (shape.down + shape.up > most_ports)
        throw config::error(place(section, "k"),
                            "'k' is " + std::to_string(shape.down) + ": a switch would have " +
                                std::to_string(shape.down + shape.up) + " ports, up and down; at most " +
                                std::to_string(most_ports));
    const std::uint64_t nodes = power(shape.down, shape.levels);
    if (nodes > most_nodes) too_many(place(section, "n"), shape, most_nodes, "nodes");
    m_nodes = static_cast<std::uint32_t>(nodes);
    std::uint64_t first = 0;
    for (std::uint32_t i = 0; i < shape.levels; ++i) {
        const std::uint64_t alike = power(shape.up, i);
        m_levels.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(alike)});
        first += power(shape.down, shape.levels - 1 - i) * alike;
        if (alike > most_nodes || first > most_routers)
            too_many(place(section, "n"), shape, most_routers, "routers");
    }
}

std::uint32_t fat_tree::level_of(std::uint32_t r) const {
    std::uint32_t i = m_shape.levels - 1;
    while (r < m_levels[i].first) --i;
    return i;
}

port_peer fat_tree::peer(router_id r, port_id p) const {
    const std::uint32_t i = level_of(r.value), k = m_shape.down;
    const level& here = m_levels[i];
    const std::uint32_t w = (r.value - here.first) / here.alike, u = (r.value - here.first) % here.alike;
    if (p.value < k) {
        if (i == 0) return {port_peer::kind::node, w * k + p.value, 0};
        const level& below = m_levels[i - 1];
        const std::uint32_t child = (w * k + p.value) * below.alike + u % below.alike;
        return {port_peer::kind::router, below.first + child, k + u / below.alike};
    }
    if (p.value >= k + m_shape.up || i + 1 == m_shape.levels) return {};
    const level& above = m_levels[i + 1];
    const std::uint32_t parent = w / k * above.alike + (p.value - k) * here.alike + u;
    return {port_peer::kind::router, above.first + parent, w % k};
}

closed_forms fat_tree::known() const {
    // A way up to level l and down again takes 2l links; it leads to k^(l+1) - k^l nodes, for l = 0 to k.
    const double k = m_shape.down;
    double mean = 0;
    for (std::uint32_t l = 1; l < m_shape.levels; ++l)
        mean += 2.0 * l * (std::pow(k, l + 1) - std::pow(k, l)) / m_nodes;
    closed_forms known{2 * (m_shape.levels - 1), mean, std::nullopt};
    // The best halving goes through each top switch, where the tree does not widen towards it; it cuts the
    // links down to half of its subtrees.
    if (m_shape.levels > 1 && m_shape.down % 2 == 0 && m_shape.up <= m_shape.down)
        known.bisection = std::uint64_t{m_levels.back().alike} * m_shape.down;
    return known;
}

}  // namespace sare
