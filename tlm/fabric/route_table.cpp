// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/route_table.h"

#include <algorithm>

namespace sare {

void route_table::build(const routing_function& routing, std::uint32_t routers, std::uint32_t nodes) {
    const std::uint32_t states = routing.tabular_states();
    // One megabyte still lies in a cache; what is asked for less often than looked up has to pay for it.
    const std::size_t limit = states == 1 ? 1 << 20 : 1 << 18;
    const std::size_t columns = std::size_t{states} * nodes, entries = columns * routers;
    // A choice among several ways is for the router to make.
    if (states == 0 || routing.max_candidates() > 1 || routing.looks_at_congestion() || entries > limit)
        return;
    std::vector<std::uint8_t> table(entries);
    for (std::uint32_t r = 0; r < routers; ++r)
        for (std::uint32_t k = 0; k < columns; ++k) {
            route_header header;
            header.state = static_cast<std::uint16_t>(k / nodes);
            header.destination = k % nodes;
            route_set ways;
            routing.route(r, 0, 0, header, ways);
            const route_candidate way = ways.size != 0 ? ways.candidates[0] : route_candidate{};
            const auto same = [&way](const route_candidate& c) {
                return c.port == way.port && c.vcs == way.vcs && c.escape == way.escape;
            };
            const auto number = std::find_if(m_ways.begin(), m_ways.end(), same) - m_ways.begin();
            if (number == 256) return;
            if (number == static_cast<std::ptrdiff_t>(m_ways.size())) m_ways.push_back(way);
            table[r * columns + k] = static_cast<std::uint8_t>(number);
        }
    m_routers = routers;
    m_nodes = nodes;
    m_states = states;
    m_entries = columns;
    m_table = std::move(table);
}

bool route_table::add_keys(std::uint32_t classes) {
    const std::size_t keys = std::size_t{columns()} * classes;
    if (!exists() || keys > 65536 || m_ways.size() * classes > 256) return false;
    std::vector<std::uint8_t> table(keys * m_routers);
    auto entry = table.begin();
    for (std::uint32_t r = 0; r < m_routers; ++r)
        for (std::uint32_t c = 0; c < classes; ++c)
            for (std::uint32_t k = 0; k < columns(); ++k)
                *entry++ = static_cast<std::uint8_t>(of_router(r)[k] + c * m_ways.size());
    m_table = std::move(table);
    m_keys = static_cast<std::uint32_t>(keys);
    m_entries = keys;
    return true;
}

std::vector<std::uint16_t> route_table::count_hops(const std::vector<std::uint32_t>& next,
                                                   std::uint32_t ports,
                                                   const std::vector<bool>& counts_itself) const {
    std::vector<std::uint16_t> all(static_cast<std::size_t>(columns()) * m_routers);
    std::vector<bool> seen(m_routers);
    std::vector<std::uint16_t> hops(m_routers);
    std::vector<std::uint32_t> path;
    const auto beyond = [&](std::uint32_t r, std::uint32_t column) {
        return next[std::size_t{r} * ports + m_ways[of_router(r)[column]].port];
    };
    for (std::uint32_t k = 0; k < columns(); ++k) {
        hops.assign(m_routers, 0);
        seen.assign(m_routers, false);
        for (std::uint32_t from = 0; from < m_routers; ++from) {
            // In a circle nothing ever arrives, so there is no right number.
            path.clear();
            std::uint16_t rest = 0;
            for (std::uint32_t r = from; r != none; r = beyond(r, k)) {
                if (seen[r]) {
                    rest = hops[r];
                    break;
                }
                seen[r] = true;
                path.push_back(r);
            }
            for (std::size_t n = path.size(); n-- > 0; hops[path[n]] = rest)
                if (!counts_itself[path[n]]) ++rest;
        }
        for (std::uint32_t r = 0; r < m_routers; ++r)
            all[static_cast<std::size_t>(r) * columns() + k] = hops[r];
    }
    return all;
}

}  // namespace sare
