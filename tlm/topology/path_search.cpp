// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/path_search.h"

#include <fmt/format.h>

#include <stdexcept>
#include <tuple>

namespace sare {
namespace {

constexpr std::uint32_t not_reached = 0xffffffff;

bool is_better(const path_cost& a, const path_cost& b) {
    return std::tie(a.picoseconds, a.cycles, b.decibits_per_second, a.cycles_per_flit) <
           std::tie(b.picoseconds, b.cycles, a.decibits_per_second, b.cycles_per_flit);
}

}  // namespace

const path_cost& path_search::path(router_id from, router_id to) {
    auto row = m_rows.find(from.value);
    if (row == m_rows.end()) {
        while (!m_order.empty() && (m_order.size() + 1) * m_net.routers() > m_kept) {
            m_rows.erase(m_order.front());
            m_order.pop_front();
        }
        row = m_rows.emplace(from.value, search(from)).first;
        m_order.push_back(from.value);
        ++m_searches;
    }
    const path_cost& found = row->second[to.value];
    if (found.links == not_reached)
        throw std::logic_error(
            fmt::format("there is no way from router {} to router {}", from.value, to.value));
    return found;
}

/// Breadth first: the best path to a router is known once all routers one link nearer have been visited, and
/// so before the router itself is.
std::vector<path_cost> path_search::search(router_id from) const {
    path_cost far;
    far.links = not_reached;
    std::vector<path_cost> row(m_net.routers(), far);
    row[from.value] = {};
    std::vector<std::uint32_t> queue{from.value};
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const router_id r(queue[head]);
        for (std::uint32_t p = 0; p < m_net.ports(r); ++p) {
            const port_peer to = m_net.peer(r, port_id(p));
            if (to.what != port_peer::kind::router) continue;
            path_cost path = row[r.value];
            path.add(m_net.link(r, port_id(p)));
            path_cost& known = row[to.id];
            if (known.links == not_reached)
                queue.push_back(to.id);
            else if (known.links != path.links || !is_better(path, known))
                continue;
            known = path;
        }
    }
    return row;
}

}  // namespace sare
