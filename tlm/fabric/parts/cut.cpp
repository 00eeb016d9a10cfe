// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/cut.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace sare {
namespace {

constexpr double unplaced = -1;

std::uint64_t total(const std::vector<std::uint32_t>& ports) {
    return std::accumulate(ports.begin(), ports.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> ports_of_parts(const router_graph& g, const router_parts& of_router,
                                          std::uint32_t parts) {
    std::vector<std::uint64_t> sums(parts, 0);
    for (std::uint32_t r = 0; r < g.routers(); ++r) sums[of_router[r]] += g.ports[r];
    return sums;
}

/// Places of routers on the line of nodes: the first node of a router that has nodes; for the others the mean
/// of the neighbours placed so far, ring by ring.
class places {
  public:
    explicit places(const router_graph& g) : m_graph(g), m_at(g.routers(), unplaced) {
        for (std::uint32_t n = 0; n < g.host.size(); ++n)
            if (g.host[n] != router_graph::nowhere && m_at[g.host[n]] == unplaced) m_at[g.host[n]] = n;
        while (place_next_ring()) {
        }
    }
    double of(std::uint32_t r) const { return m_at[r]; }

  private:
    bool place_next_ring() {
        std::vector<std::pair<std::uint32_t, double>> found;
        for (std::uint32_t r = 0; r < m_at.size(); ++r) {
            if (m_at[r] != unplaced) continue;
            double sum = 0;
            std::size_t n = 0;
            for (std::size_t k = m_graph.first[r]; k < m_graph.first[r + 1]; ++k)
                if (const double at = m_at[m_graph.beside[k]]; at != unplaced) sum += at, ++n;
            if (n != 0) found.emplace_back(r, sum / static_cast<double>(n));
        }
        for (const auto& [r, at] : found) m_at[r] = at;
        return !found.empty();
    }

    const router_graph& m_graph;
    std::vector<double> m_at;
};

/// Cuts a box of routers with coordinates in two, and both sides again.
class box_cutter {
  public:
    box_cutter(const router_graph& g, const std::vector<std::uint32_t>& dims)
        : m_graph(g), m_dims(dims), m_part(g.routers(), 0) {}

    router_parts cut(std::uint32_t parts) {
        std::vector<std::uint32_t> all(m_graph.routers());
        std::iota(all.begin(), all.end(), 0U);
        cut(all, 0, parts);
        return std::move(m_part);
    }

  private:
    /// Cuts the routers of part `own`, in ascending order, into parts with the numbers own to own + parts -
    /// 1.
    void cut(const std::vector<std::uint32_t>& routers, std::uint16_t own, std::uint32_t parts) {
        if (parts == 1 || routers.size() < 2) return;
        const std::uint32_t low = parts / 2;
        const auto other = static_cast<std::uint16_t>(own + low);
        std::vector<std::uint32_t> best;
        std::uint64_t fewest = ~std::uint64_t{0};
        for (std::uint32_t d = 0; d < m_dims.size(); ++d) {
            std::vector<std::uint32_t> more = beyond(in_order(routers, d), low, parts);
            const std::uint64_t crossing = links_into(more, own, other);
            if (crossing < fewest) fewest = crossing, best = std::move(more);
        }
        std::sort(best.begin(), best.end());
        for (const std::uint32_t r : best) m_part[r] = other;
        std::vector<std::uint32_t> rest;
        std::copy_if(routers.begin(), routers.end(), std::back_inserter(rest),
                     [&](std::uint32_t r) { return m_part[r] == own; });
        cut(rest, own, low);
        cut(best, other, parts - low);
    }

    /// Sorts routers by their coordinate in dimension d; routers of one coordinate keep their order.
    std::vector<std::uint32_t> in_order(const std::vector<std::uint32_t>& routers, std::uint32_t d) const {
        const std::size_t stride =
            std::accumulate(m_dims.begin(), m_dims.begin() + d, std::size_t{1}, std::multiplies<>());
        const auto at = [&](std::uint32_t r) { return r / stride % m_dims[d]; };
        std::vector<std::size_t> next(m_dims[d] + std::size_t{1}, 0);
        for (const std::uint32_t r : routers) ++next[at(r) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        std::vector<std::uint32_t> all(routers.size());
        for (const std::uint32_t r : routers) all[next[at(r)]++] = r;
        return all;
    }

    /// Returns the routers behind the first low / parts of all ports.
    std::vector<std::uint32_t> beyond(const std::vector<std::uint32_t>& routers, std::uint32_t low,
                                      std::uint32_t parts) const {
        std::uint64_t all = 0, before = 0;
        for (const std::uint32_t r : routers) all += m_graph.ports[r];
        std::size_t k = 0;
        while (k < routers.size() && (before + m_graph.ports[routers[k]] / 2) * parts < all * low)
            before += m_graph.ports[routers[k++]];
        return {routers.begin() + static_cast<std::ptrdiff_t>(k), routers.end()};
    }

    /// Number of links to these routers from other routers of their part.
    std::uint64_t links_into(const std::vector<std::uint32_t>& routers, std::uint16_t own,
                             std::uint16_t other) {
        for (const std::uint32_t r : routers) m_part[r] = other;
        std::uint64_t count = 0;
        for (const std::uint32_t r : routers)
            for (std::size_t k = m_graph.first[r]; k < m_graph.first[r + 1]; ++k)
                count += m_part[m_graph.beside[k]] == own ? 1 : 0;
        for (const std::uint32_t r : routers) m_part[r] = own;
        return count;
    }

    const router_graph& m_graph;
    const std::vector<std::uint32_t>& m_dims;
    router_parts m_part;
};

/// Searches the number of stretches for each dimension that makes `parts` blocks with the fewest links
/// between them.
class stretch_search {
  public:
    stretch_search(const std::vector<std::uint32_t>& dims, bool closed) : m_dims(dims), m_closed(closed) {}

    /// Returns the number of stretches of each dimension; empty if there is no solution.
    std::vector<std::uint32_t> find(std::uint32_t parts) {
        go_on(parts, 0);
        return m_best;
    }

  private:
    /// Chooses the next dimension. `cost`: mean number of links of a router that leave its block, so far.
    void go_on(std::uint32_t parts, double cost) {
        const std::size_t d = m_now.size();
        if (cost >= m_least) return;
        if (parts == 1) {
            m_least = cost;
            m_best = m_now;
            m_best.resize(m_dims.size(), 1);
        }
        if (parts == 1 || d == m_dims.size()) return;
        for (std::uint32_t n = 1; n <= std::min(parts, m_dims[d]); ++n) {
            if (parts % n != 0) continue;
            m_now.push_back(n);
            go_on(parts / n, cost + (n == 1 ? 0 : (m_closed ? n : n - 1.0) / m_dims[d]));
            m_now.pop_back();
        }
    }

    const std::vector<std::uint32_t>& m_dims;
    const bool m_closed;
    std::vector<std::uint32_t> m_now, m_best;
    double m_least = std::numeric_limits<double>::infinity();
};

router_parts in_stretches(const std::vector<std::uint32_t>& dims, const std::vector<std::uint32_t>& counts) {
    const std::size_t routers =
        std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>());
    router_parts of_router(routers);
    for (std::size_t r = 0; r < routers; ++r) {
        std::size_t rest = r, part = 0;
        for (std::size_t d = 0; d < dims.size(); ++d) {
            part = part * counts[d] + rest % dims[d] * counts[d] / dims[d];
            rest /= dims[d];
        }
        of_router[r] = static_cast<std::uint16_t>(part);
    }
    return of_router;
}

}  // namespace

std::vector<router_parts> regular_cuts(const std::vector<std::uint32_t>& dims, std::uint32_t parts) {
    std::vector<router_parts> all;
    for (const bool closed : {false, true})
        if (const auto counts = stretch_search(dims, closed).find(parts); !counts.empty())
            all.push_back(in_stretches(dims, counts));
    return all;
}

router_parts slab_cut(const router_graph& g, std::uint32_t parts) {
    const places where(g);
    std::vector<std::uint32_t> order(g.routers());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return where.of(a) < where.of(b); });
    const std::uint64_t all = total(g.ports);
    router_parts of_router(g.routers());
    std::uint64_t before = 0, next = 0;  // the first part that has none yet
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t ports = g.ports[order[k]];
        const std::uint64_t left = order.size() - k;
        // Every part gets one, if there are enough.
        std::uint64_t part = std::max((before + ports / 2) * parts / all, parts > left ? parts - left : 0);
        part = std::min(part, next);
        next = std::max(next, part + 1);
        of_router[order[k]] = static_cast<std::uint16_t>(part);
        before += ports;
    }
    return of_router;
}

router_parts block_cut(const router_graph& g, const std::vector<std::uint32_t>& dims, std::uint32_t parts) {
    return box_cutter(g, dims).cut(parts);
}

std::uint64_t crossing_links(const router_graph& g, const router_parts& of_router) {
    std::uint64_t ends = 0;
    for (std::uint32_t r = 0; r < g.routers(); ++r)
        for (std::size_t k = g.first[r]; k < g.first[r + 1]; ++k)
            ends += of_router[g.beside[k]] != of_router[r] ? 1 : 0;
    return ends / 2;
}

bool is_balanced(const router_graph& g, const router_parts& of_router, const router_parts& slabs,
                 std::uint32_t parts) {
    const std::vector<std::uint64_t> sums = ports_of_parts(g, of_router, parts);
    const std::vector<std::uint64_t> usual = ports_of_parts(g, slabs, parts);
    const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
    return *least != 0 && (*most * parts * 100 <= total(g.ports) * 105 ||
                           *most <= *std::max_element(usual.begin(), usual.end()));
}

}  // namespace sare
