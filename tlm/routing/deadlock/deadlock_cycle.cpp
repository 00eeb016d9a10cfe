// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock/deadlock_cycle.h"

#include <algorithm>
#include <numeric>

namespace sare {
namespace {

/// Shortest cycle through v, which is on one.
std::vector<std::uint32_t> shortest_through(const flat_graph& graph, std::uint32_t v) {
    std::vector<std::uint32_t> parent(graph.first.size() - 1, 0xffffffff), queue{v};
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (std::uint64_t e = graph.first[queue[head]]; e < graph.first[queue[head] + 1]; ++e) {
            const std::uint32_t w = graph.to[e];
            if (w == v) {
                std::vector<std::uint32_t> cycle;
                for (std::uint32_t x = queue[head]; x != v; x = parent[x]) cycle.push_back(x);
                cycle.push_back(v);
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
            if (parent[w] != 0xffffffff) continue;
            parent[w] = queue[head];
            queue.push_back(w);
        }
    return {};
}

/// Which labels may follow which.
class label_pairs {
  public:
    label_pairs(std::uint32_t labels, bool all)
        : m_labels(labels), m_may(std::size_t{labels} * labels, all) {}
    bool may(std::uint32_t a, std::uint32_t b) const { return m_may[std::size_t{a} * m_labels + b]; }
    void add(std::uint32_t a, std::uint32_t b) { m_may[std::size_t{a} * m_labels + b] = true; }
    std::size_t count() const {
        return static_cast<std::size_t>(std::count(m_may.begin(), m_may.end(), true));
    }

  private:
    std::uint32_t m_labels;
    std::vector<bool> m_may;
};

/// The pairs among `known` that are within a component of the projection without all others.
label_pairs sift(const projection& p, const label_pairs& known, std::uint32_t labels) {
    flat_graph left;
    for (std::size_t v = 0; v + 1 < p.graph.first.size(); ++v) {
        for (std::uint64_t e = p.graph.first[v]; e < p.graph.first[v + 1]; ++e)
            if (known.may(p.label[v], p.label[p.graph.to[e]])) left.to.push_back(p.graph.to[e]);
        left.first.push_back(left.to.size());
    }
    const std::vector<std::uint32_t> component = components(left);
    label_pairs found(labels, false);
    for (std::size_t v = 0; v + 1 < left.first.size(); ++v)
        for (std::uint64_t e = left.first[v]; e < left.first[v + 1]; ++e)
            if (component[v] == component[left.to[e]]) found.add(p.label[v], p.label[left.to[e]]);
    return found;
}

}  // namespace

flat_graph image_of(const flat_graph& graph, const std::vector<std::uint32_t>& image) {
    flat_graph seen;
    seen.first.assign(image.size() + 1, 0);
    for (std::size_t v = 0; v < image.size(); ++v)
        seen.first[image[v] + 1] += graph.first[v + 1] - graph.first[v];
    std::partial_sum(seen.first.begin(), seen.first.end(), seen.first.begin());
    std::vector<std::uint64_t> next(seen.first.begin(), seen.first.end() - 1);
    seen.to.resize(graph.to.size());
    for (std::size_t v = 0; v < image.size(); ++v)
        for (std::uint64_t e = graph.first[v]; e < graph.first[v + 1]; ++e)
            seen.to[next[image[v]]++] = image[graph.to[e]];
    return seen;
}

/// Tarjan's algorithm (1972), without recursion.
std::vector<std::uint32_t> components(const flat_graph& graph) {
    constexpr std::uint32_t none = 0xffffffff;
    const std::size_t size = graph.first.size() - 1;
    std::vector<std::uint32_t> component(size, none), number(size, none), lowest(size), stack;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> path;  // vertex, next edge
    std::uint32_t numbers = 0, found = 0;
    const auto enter = [&](std::uint32_t v) {
        number[v] = lowest[v] = numbers++;
        stack.push_back(v);
        path.emplace_back(v, graph.first[v]);
    };
    for (std::uint32_t start = 0; start < size; ++start) {
        if (number[start] == none) enter(start);
        while (!path.empty()) {
            const std::uint32_t v = path.back().first;
            if (path.back().second < graph.first[v + 1]) {
                const std::uint32_t w = graph.to[path.back().second++];
                if (number[w] == none)
                    enter(w);
                else if (component[w] == none)
                    lowest[v] = std::min(lowest[v], number[w]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) lowest[path.back().first] = std::min(lowest[path.back().first], lowest[v]);
            if (lowest[v] != number[v]) continue;
            std::uint32_t w = none;
            do {
                w = stack.back();
                stack.pop_back();
                component[w] = found;
            } while (w != v);
            ++found;
        }
    }
    return component;
}

bool may_be_cycle(const std::vector<projection>& all, std::uint32_t labels) {
    label_pairs known(labels, true);
    for (std::size_t before = 0; before != known.count();) {
        before = known.count();
        for (const projection& p : all) {
            known = sift(p, known, labels);
            if (known.count() == 0) return false;
        }
    }
    return true;
}

std::vector<std::uint32_t> find_cycle(const flat_graph& graph) {
    enum : std::uint8_t { fresh, open, done };
    std::vector<std::uint8_t> colour(graph.first.size() - 1, fresh);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> path;  // vertex, next edge
    for (std::uint32_t start = 0; start < colour.size(); ++start) {
        if (colour[start] != fresh) continue;
        colour[start] = open;
        path.emplace_back(start, graph.first[start]);
        while (!path.empty()) {
            auto& [v, edge] = path.back();
            if (edge == graph.first[v + 1]) {
                colour[v] = done;
                path.pop_back();
                continue;
            }
            const std::uint32_t w = graph.to[edge++];
            if (colour[w] == open) return shortest_through(graph, w);
            if (colour[w] == done) continue;
            colour[w] = open;
            path.emplace_back(w, graph.first[w]);
        }
    }
    return {};
}

}  // namespace sare
