// SPDX-License-Identifier: Apache-2.0
#include "tlm/combining/combining_tree.h"

#include "tlm/topology/adjacency.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

constexpr std::size_t most_searches = 64;

/// Returns the routers of the nodes, each once, ascending.
std::vector<std::uint32_t> routers_of(const topology& net, const std::vector<combining_tree::place>& places) {
    std::vector<std::uint32_t> all;
    for (const combining_tree::place& p : places) all.push_back(net.router_of(node_id(p.node)).value);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// Returns the best root for `members`, number `turn` of several, modulo their number.
std::uint32_t find_root(const adjacency& graph, const std::vector<std::uint32_t>& members,
                        std::uint32_t turn) {
    using key = std::pair<std::uint32_t, std::uint64_t>;  // largest distance, sum
    std::vector<key> of(graph.first.size() - 1);
    std::vector<std::uint32_t> distance, queue, best;
    const std::size_t searches = std::min(most_searches, members.size());
    for (std::size_t k = 0; k < searches; ++k) {
        breadth_first(graph, members[k * members.size() / searches], distance, queue);
        for (std::size_t r = 0; r < of.size(); ++r) {
            of[r].first = std::max(of[r].first, distance[r]);
            of[r].second += distance[r];
        }
    }
    const key least = *std::min_element(of.begin(), of.end());
    for (std::uint32_t r = 0; r < of.size(); ++r)
        if (of[r] == least) best.push_back(r);
    return best[turn % best.size()];
}

/// Returns the next router of each towards `root`: the one behind the lowest port that leads there.
std::vector<std::uint32_t> find_parents(const adjacency& graph, std::uint32_t root) {
    std::vector<std::uint32_t> distance, queue, parents(graph.first.size() - 1, combining_tree::none);
    breadth_first(graph, root, distance, queue);
    for (const std::uint32_t r : queue)
        for (std::uint32_t k = graph.first[r]; r != root && k < graph.first[r + 1]; ++k)
            if (distance[graph.to[k]] < distance[r]) {
                parents[r] = graph.to[k];
                break;
            }
    return parents;
}

}  // namespace

std::uint32_t combining_tree::hop::number_of_router(std::uint32_t neighbour) const {
    const auto found = std::lower_bound(children.begin(), children.end(), neighbour);
    const bool is_child = found != children.end() && *found == neighbour;
    return static_cast<std::uint32_t>(is_child ? found - children.begin()
                                               : children.end() - children.begin());
}

std::uint32_t combining_tree::hop::number_of_place(std::uint32_t place) const {
    const auto found = std::find(places.begin(), places.end(), place);
    return static_cast<std::uint32_t>(children.size() + (parent == none ? 0 : 1) + (found - places.begin()));
}

combining_tree::combining_tree(const topology& net, const std::vector<place>& places, std::uint32_t group) {
    const adjacency graph(net, adjacency::direction::forward);
    m_root = find_root(graph, routers_of(net, places), group);
    const std::vector<std::uint32_t> parents = find_parents(graph, m_root);
    for (std::uint32_t k = 0; k < places.size(); ++k) {
        const std::uint32_t r = net.router_of(node_id(places[k].node)).value;
        add_path(r, parents, places[k].members);
        m_hops[r].places.push_back(k);
    }
    for (auto& [r, its] : m_hops) {
        std::sort(its.children.begin(), its.children.end());
        std::size_t packets = its.children.size();
        for (const std::uint32_t k : its.places) packets += places[k].members;
        if (packets > 1) m_joins.push_back(r);
    }
    std::sort(m_joins.begin(), m_joins.end());
}

/// Adds members at router `from`, and the path from there to the root as far as it is not in the tree.
void combining_tree::add_path(std::uint32_t from, const std::vector<std::uint32_t>& parents,
                              std::uint32_t members) {
    std::vector<std::uint32_t> path;
    for (std::uint32_t r = from; r != none; r = parents[r]) path.push_back(r);
    if (path.back() != m_root)
        throw config::error(fmt::format(
            "a collective in the network is of nodes at routers {} and {}, and no path connects them", m_root,
            from));
    for (std::size_t k = path.size(); k-- > 0;) {
        const auto [added, is_new] = m_hops.try_emplace(path[k]);
        hop& its = added->second;
        its.below += members;
        if (!is_new || path[k] == m_root) continue;
        its.parent = path[k + 1];
        its.depth = static_cast<std::uint32_t>(path.size() - 1 - k);
        m_hops[its.parent].children.push_back(path[k]);
    }
}

std::uint32_t combining_tree::child_towards(std::uint32_t router, std::uint32_t below) const {
    while (at(below).parent != router) below = at(below).parent;
    return below;
}

std::uint32_t combining_tree::distance(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t links = 0;
    for (; a != b; ++links) {
        std::uint32_t& lower = at(a).depth >= at(b).depth ? a : b;
        lower = at(lower).parent;
    }
    return links;
}

}  // namespace sare
