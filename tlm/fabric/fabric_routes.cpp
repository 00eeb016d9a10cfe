// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

#include <algorithm>

/// Tables of routes, for routing functions that always answer the same.
namespace sare {

/// Fills in the table, a byte an entry; false if it would be too large, or has too many different ways.
bool fabric::tabulate_routes() {
    constexpr std::size_t limit = 1 << 20;  // entries: one megabyte still lies in a cache
    const std::size_t entries = static_cast<std::size_t>(routers()) * nodes();
    if (m_routing == nullptr || !m_routing->tabular() || entries > limit) return false;
    m_route_table.resize(entries);
    for (std::uint32_t r = 0; r < routers(); ++r)
        for (std::uint32_t d = 0; d < nodes(); ++d) {
            route_header header;
            header.destination = d;
            route_set ways;
            m_routing->route(r, 0, 0, header, ways);
            const route_candidate way = ways.size != 0 ? ways.candidates[0] : route_candidate{};
            const auto same = [&way](const route_candidate& c) {
                return c.port == way.port && c.vcs == way.vcs && c.escape == way.escape;
            };
            const auto choice = std::find_if(m_choices.begin(), m_choices.end(), same) - m_choices.begin();
            if (choice == 256) return false;
            if (choice == static_cast<std::ptrdiff_t>(m_choices.size())) m_choices.push_back(way);
            m_route_table[static_cast<std::size_t>(r) * nodes() + d] = static_cast<std::uint8_t>(choice);
        }
    return true;
}

/// Makes the table of plain routers by route_key(), so that it says which VCs, too.
void fabric::key_routes() {
    const std::size_t keys = std::size_t{nodes()} * m_classes;
    for (auto& e : m_shapes) {
        router_shape& s = e->shape;
        const std::uint64_t port_mask = (std::uint64_t{1} << s.stride) - 1;
        for (std::uint32_t c = 0; c < m_classes; ++c)
            for (const route_candidate& choice : m_choices) {
                const std::uint64_t vcs = (std::uint64_t{choice.vcs} << c * m_vcs_per_class) & port_mask;
                s.wants.push_back(vcs << (choice.port * s.stride));
            }
    }
    std::vector<std::uint8_t> table(keys * routers());
    auto entry = table.begin();
    for (std::uint32_t r = 0; r < routers(); ++r)
        for (std::uint32_t c = 0; c < m_classes; ++c)
            for (std::uint32_t d = 0; d < nodes(); ++d)
                *entry++ = static_cast<std::uint8_t>(
                    m_route_table[static_cast<std::size_t>(r) * nodes() + d] + c * m_choices.size());
    count_hops();
    for (std::uint32_t n = 0; n < nodes(); ++n)
        m_nics[n].hops_to = &m_hops_to[static_cast<std::size_t>(m_nic_router[n]) * nodes()];
    m_route_table = std::move(table);
}

/// Follows the table from every router to every node.
void fabric::count_hops() {
    constexpr std::uint32_t node = 0xffffffff;  // or nothing
    std::vector<std::uint32_t> next(m_wires.size(), node), path;
    for (const auto& c : m_connections)
        if (c.from.what == end::kind::router && c.to.what == end::kind::router)
            next[m_wires_of[c.from.id] + c.from.port] = c.to.id;
    m_hops_to.assign(static_cast<std::size_t>(nodes()) * routers(), 0);
    std::vector<bool> seen(routers());
    std::vector<std::uint16_t> hops(routers());
    for (std::uint32_t d = 0; d < nodes(); ++d) {
        hops.assign(routers(), 0);
        seen.assign(routers(), false);
        for (std::uint32_t from = 0; from < routers(); ++from) {
            // In a circle nothing ever arrives, so there is no right number.
            path.clear();
            for (std::uint32_t r = from; r != node && !seen[r];) {
                seen[r] = true;
                path.push_back(r);
                r = next[m_wires_of[r] +
                         m_choices[m_route_table[static_cast<std::size_t>(r) * nodes() + d]].port];
                if (r != node && seen[r]) hops[path.back()] = hops[r];
            }
            for (std::size_t k = path.size(); k-- > 0;)
                hops[path[k]] =
                    static_cast<std::uint16_t>(1 + hops[k + 1 < path.size() ? path[k + 1] : path[k]]);
        }
        for (std::uint32_t r = 0; r < routers(); ++r)
            m_hops_to[static_cast<std::size_t>(r) * nodes() + d] = hops[r];
    }
}

void fabric::build_route_table() {
    if (!m_tabulated) {
        m_route_table.clear();
        m_prepares_headers = m_routing != nullptr;
        return;
    }
    if (m_keyed) key_routes();
    for (std::size_t k = 0; m_keyed && k < m_lanes.size(); ++k) {
        m_lanes[k].first_key = static_cast<std::uint32_t>(k % m_classes) * nodes();
        m_lanes[k].key_mask = 0xffff;
    }
    const std::size_t entries = m_route_table.size() / routers();
    for (std::uint32_t r = 0; r < routers(); ++r)
        visit_block(r, [&](auto& b) {
            if constexpr (std::decay_t<decltype(b)>::plain) {
                if (m_keyed) b.routes = &m_route_table[r * entries];
            } else {
                b.routes = &m_route_table[r * entries];
                b.choices = m_choices.data();
            }
        });
}

}  // namespace sare
