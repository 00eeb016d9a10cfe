// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/tree/fat_tree.h"

#include "tlm/topology/layout/layouts.h"

#include <fmt/format.h>

namespace sare {
namespace {

[[noreturn]] void too_many(const tree_words& words, std::uint64_t most, const char* what) {
    throw config::error(words.size_at, fmt::format("{}: more than {} {}", words.size, most, what));
}

}  // namespace

tree_shape even_tree(std::uint32_t down, std::uint32_t up, std::uint32_t levels) {
    tree_shape shape;
    shape.down.assign(levels, down);
    shape.up.assign(levels, up);
    return shape;
}

tree_words words_of_even_tree(const tree_shape& shape, const config::value& section) {
    const std::string down = std::to_string(shape.down[0]);
    return {place(section, "k"), place(section, "n"), "'k' is " + down,
            fmt::format("'n' is {} levels of switches with {} ports down and {} up", shape.levels(), down,
                        shape.up[0])};
}

fat_tree::fat_tree(std::string name, tree_shape shape, const link_parameters& links, const tree_words& words)
    : m_name(std::move(name)), m_shape(std::move(shape)), m_links(links) {
    m_links.nodes_apart = true;
    const std::uint32_t levels = m_shape.levels();
    std::uint64_t nodes = 1;
    for (std::uint32_t i = 0; i < levels; ++i) {
        const std::uint32_t ports = m_shape.down[i] + m_shape.up[i];
        if (ports > words.most)
            throw config::error(words.ports_at,
                                fmt::format("{}: a switch would have {} ports, up and down; at most {}",
                                            words.ports, ports, words.most));
        nodes *= m_shape.down[i];
        if (nodes > most_nodes) too_many(words, most_nodes, "nodes");
    }
    m_nodes = static_cast<std::uint32_t>(nodes);
    std::uint64_t first = 0, alike = 1, apart = nodes;
    for (std::uint32_t i = 0; i < levels; ++i) {
        m_levels.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(alike)});
        apart /= m_shape.down[i];
        first += apart * alike;
        if (first > most_routers) too_many(words, most_routers, "routers");
        alike *= m_shape.up[i];  // at most 1023 times 2^24: the next one is found to be too many
    }
}

std::uint32_t fat_tree::level_of(std::uint32_t r) const {
    std::uint32_t i = m_shape.levels() - 1;
    while (r < m_levels[i].first) --i;
    return i;
}

port_peer fat_tree::peer(router_id r, port_id p) const {
    const std::uint32_t i = level_of(r.value), k = m_shape.down[i];
    const level& here = m_levels[i];
    const std::uint32_t w = (r.value - here.first) / here.alike, u = (r.value - here.first) % here.alike;
    if (p.value < k) {
        if (i == 0) return {port_peer::kind::node, w * k + p.value, 0};
        const level& below = m_levels[i - 1];
        const std::uint32_t child = (w * k + p.value) * below.alike + u % below.alike;
        return {port_peer::kind::router, below.first + child, m_shape.down[i - 1] + u / below.alike};
    }
    if (p.value >= k + m_shape.up[i] || i + 1 == m_shape.levels()) return {};
    const level& above = m_levels[i + 1];
    const std::uint32_t parent = w / m_shape.down[i + 1] * above.alike + (p.value - k) * here.alike + u;
    return {port_peer::kind::router, above.first + parent, w % m_shape.down[i + 1]};
}

/// Between switches of nodes: up to where their numbers agree, and down.
void fat_tree::add_path(router_id from, router_id to, path_cost& sum) const {
    const std::uint32_t lowest = m_nodes / m_shape.down[0];
    if (from.value >= lowest || to.value >= lowest) return topology::add_path(from, to, sum);
    std::uint32_t top = 0;
    for (std::uint32_t a = from.value, b = to.value; a != b; b /= m_shape.down[top]) a /= m_shape.down[++top];
    sum.add(m_links.link(), 2 * top);
}

std::unique_ptr<layout> fat_tree::picture() const {
    std::vector<std::uint32_t> levels;
    for (std::size_t i = 1; i < m_levels.size(); ++i)
        levels.push_back(m_levels[i].first - m_levels[i - 1].first);
    levels.push_back(m_levels.back().alike);
    return std::make_unique<row_layout>(row_layout::kind::levels, std::move(levels));
}

closed_forms fat_tree::known() const {
    // A path up to level l and down again takes 2l links; it leads to the nodes below a switch of level l
    // that are not below its child.
    closed_forms known{0, 0.0, bisection()};
    double below = m_shape.down[0];
    for (std::uint32_t l = 1; l < m_shape.levels(); ++l) {
        if (m_shape.down[l] > 1) known.diameter = 2 * l;
        *known.mean_distance += 2.0 * l * below * (m_shape.down[l] - 1) / m_nodes;
        below *= m_shape.down[l];
    }
    return known;
}

std::optional<std::uint64_t> fat_tree::bisection() const {
    // The best halving goes through each top switch, where the tree does not widen towards it; it cuts the
    // links down to half of its subtrees.
    const std::uint32_t top = m_shape.levels() - 1;
    if (top == 0 || m_shape.down[top] % 2 != 0) return std::nullopt;
    for (std::uint32_t i = 0; i < top; ++i)
        if (m_shape.up[i] > m_shape.down[i]) return std::nullopt;
    return std::uint64_t{m_levels[top].alike} * m_shape.down[top];
}

}  // namespace sare
