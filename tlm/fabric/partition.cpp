// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/partition.h"

#include <algorithm>
#include <numeric>

namespace sare {
namespace {

using kind = link_end::kind;
constexpr double nowhere = -1;

bool is_from_node(const connection& c) {
    return c.from.what == kind::nic && c.receiver().what == kind::router;
}

/// Of routers, on the line of nodes: of those that have nodes, where the first one is; of the others, the
/// mean of the neighbours that have been placed, ring by ring.
class places {
  public:
    places(const std::vector<connection>& links, std::uint32_t routers) : m_at(routers, nowhere) {
        for (const connection& c : links)
            if (is_from_node(c)) place(c.receiver().id, c.from.id);
        std::vector<std::vector<std::uint32_t>> beside(routers);
        const bool all = std::none_of(m_at.begin(), m_at.end(), [](double p) { return p == nowhere; });
        if (all) return;
        for (const connection& c : links)
            if (c.from.what == kind::router && c.receiver().what == kind::router)
                beside[c.from.id].push_back(c.receiver().id), beside[c.receiver().id].push_back(c.from.id);
        while (place_next_ring(beside)) {
        }
    }
    double of(std::uint32_t r) const { return m_at[r]; }

  private:
    void place(std::uint32_t r, double at) { m_at[r] = m_at[r] == nowhere ? at : std::min(m_at[r], at); }
    bool place_next_ring(const std::vector<std::vector<std::uint32_t>>& beside) {
        std::vector<std::pair<std::uint32_t, double>> found;
        for (std::uint32_t r = 0; r < m_at.size(); ++r) {
            if (m_at[r] != nowhere) continue;
            double sum = 0;
            std::size_t n = 0;
            for (const std::uint32_t other : beside[r])
                if (m_at[other] != nowhere) sum += m_at[other], ++n;
            if (n != 0) found.emplace_back(r, sum / static_cast<double>(n));
        }
        for (const auto& [r, at] : found) m_at[r] = at;
        return !found.empty();
    }

    std::vector<double> m_at;
};

}  // namespace

partition cut_network(const std::vector<connection>& links, const std::vector<std::uint32_t>& ports,
                      std::uint32_t nodes, std::uint32_t parts) {
    const auto routers = static_cast<std::uint32_t>(ports.size());
    partition all{std::vector<std::uint16_t>(routers, 0), std::vector<std::uint16_t>(nodes, 0)};
    if (parts == 1) return all;
    const places where(links, routers);
    std::vector<std::uint32_t> order(routers);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return where.of(a) < where.of(b); });
    const auto total = std::accumulate(ports.begin(), ports.end(), std::uint64_t{0});
    std::uint64_t before = 0;
    for (const std::uint32_t r : order) {
        all.of_router[r] = static_cast<std::uint16_t>((before + ports[r] / 2) * parts / total);
        before += ports[r];
    }
    for (const connection& c : links)
        if (is_from_node(c)) all.of_node[c.from.id] = all.of_router[c.receiver().id];
    return all;
}

partition cut_map(const topology& map, std::uint32_t parts) {
    using kind = link_end::kind;
    std::vector<std::uint32_t> ports;
    std::vector<bool> has_nodes(map.routers(), false);
    for (std::uint32_t r = 0; r < map.routers(); ++r) ports.push_back(map.ports(router_id(r)));
    for (std::uint32_t n = 0; n < map.nodes(); ++n) has_nodes[map.router_of(node_id(n)).value] = true;
    const bool direct = std::find(has_nodes.begin(), has_nodes.end(), false) == has_nodes.end();
    std::vector<connection> links;
    for_each_link(map, [&](const link_end& from, const link_end& to) {
        if (!direct || from.what == kind::nic) links.push_back({from, to, {}, {}});
    });
    return cut_network(links, ports, map.nodes(), parts);
}

}  // namespace sare
