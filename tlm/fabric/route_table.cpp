// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/route_table.h"

#include <algorithm>

namespace sare {

void route_table::build(const routing_function& routing, std::uint32_t routers, std::uint32_t nodes) {
    constexpr std::size_t limit = 1 << 20;  // entries: one megabyte still lies in a cache
    const std::size_t entries = static_cast<std::size_t>(routers) * nodes;
    // A choice among several ways is for the router to make.
    if (!routing.tabular() || routing.max_candidates() > 1 || routing.looks_at_congestion() ||
        entries > limit)
        return;
    std::vector<std::uint8_t> table(entries);
    for (std::uint32_t r = 0; r < routers; ++r)
        for (std::uint32_t d = 0; d < nodes; ++d) {
            route_header header;
            header.destination = d;
            route_set ways;
            routing.route(r, 0, 0, header, ways);
            const route_candidate way = ways.size != 0 ? ways.candidates[0] : route_candidate{};
            const auto same = [&way](const route_candidate& c) {
                return c.port == way.port && c.vcs == way.vcs && c.escape == way.escape;
            };
            const auto number = std::find_if(m_ways.begin(), m_ways.end(), same) - m_ways.begin();
            if (number == 256) return;
            if (number == static_cast<std::ptrdiff_t>(m_ways.size())) m_ways.push_back(way);
            table[static_cast<std::size_t>(r) * nodes + d] = static_cast<std::uint8_t>(number);
        }
    m_routers = routers;
    m_nodes = nodes;
    m_columns = nodes;
    m_table = std::move(table);
}

bool route_table::add_keys(std::uint32_t classes) {
    const std::size_t keys = std::size_t{m_nodes} * classes;
    if (!exists() || keys > 65536 || m_ways.size() * classes > 256) return false;
    std::vector<std::uint8_t> table(keys * m_routers);
    auto entry = table.begin();
    for (std::uint32_t r = 0; r < m_routers; ++r)
        for (std::uint32_t c = 0; c < classes; ++c)
            for (std::uint32_t d = 0; d < m_nodes; ++d)
                *entry++ = static_cast<std::uint8_t>(of_router(r)[d] + c * m_ways.size());
    m_table = std::move(table);
    m_keys = static_cast<std::uint32_t>(keys);
    m_columns = keys;
    return true;
}

std::vector<std::uint16_t> route_table::count_hops(const std::vector<std::uint32_t>& next,
                                                   std::uint32_t ports,
                                                   const std::vector<bool>& counts_itself) const {
    std::vector<std::uint16_t> all(static_cast<std::size_t>(m_nodes) * m_routers);
    std::vector<bool> seen(m_routers);
    std::vector<std::uint16_t> hops(m_routers);
    std::vector<std::uint32_t> path;
    const auto beyond = [&](std::uint32_t r, std::uint32_t d) {
        return next[std::size_t{r} * ports + m_ways[of_router(r)[d]].port];
    };
    for (std::uint32_t d = 0; d < m_nodes; ++d) {
        hops.assign(m_routers, 0);
        seen.assign(m_routers, false);
        for (std::uint32_t from = 0; from < m_routers; ++from) {
            // In a circle nothing ever arrives, so there is no right number.
            path.clear();
            std::uint16_t rest = 0;
            for (std::uint32_t r = from; r != none; r = beyond(r, d)) {
                if (seen[r]) {
                    rest = hops[r];
                    break;
                }
                seen[r] = true;
                path.push_back(r);
            }
            for (std::size_t k = path.size(); k-- > 0; hops[path[k]] = rest)
                if (!counts_itself[path[k]]) ++rest;
        }
        for (std::uint32_t r = 0; r < m_routers; ++r)
            all[static_cast<std::size_t>(r) * m_nodes + d] = hops[r];
    }
    return all;
}

}  // namespace sare
