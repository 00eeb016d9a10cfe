// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/multicast/multicast.h"
#include "tlm/topology/grid/step_network.h"

#include <algorithm>

namespace sare {

triangular_shape triangular_shape_of(const topology& net, const config::value& section,
                                     const std::string& what) {
    const auto* shape = dynamic_cast<const step_shape*>(net.coordinates());
    if (shape == nullptr || net.name() != "triangular_torus" || shape->unidirectional)
        throw config::error(place(section, "function"),
                            what + " is for a triangular_torus with links both ways, and not for " +
                                net.name() + (shape != nullptr && shape->unidirectional ? " one way" : ""));
    if (shape->dims[0] < 2 || shape->dims[1] < 2)
        throw config::error(place(section, "function"),
                            what + " needs a triangular_torus of 2 routers at least along 'w' and 'h'");
    return {shape->dims[0], shape->dims[1], shape->concentration};
}

multicast_table::multicast_table(const topology& net)
    : m_nodes_each(net.nodes() / net.routers()),
      m_next(std::size_t{net.routers()} * hexagon::links),
      m_rows(net.routers()),
      m_targets(net.nodes()) {
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t k = 0; k < hexagon::links; ++k)
            m_next[std::size_t{r} * hexagon::links + k] = net.peer(router_id(r), port_id(k)).id;
}

void multicast_table::add(std::uint32_t router, std::uint32_t source, std::uint64_t ports) {
    m_rows[router].push_back({source, ports});
    ++m_entries;
}

/// Of rows that are not too long, in a network that is not too large.
void multicast_table::index() {
    const std::uint64_t places = std::uint64_t{m_rows.size()} * m_targets.size();
    if (places > most_places || fullest().first > 65534) return;
    m_places.assign(places, 0);
    for (std::size_t r = 0; r < m_rows.size(); ++r)
        for (std::size_t n = 0; n < m_rows[r].size(); ++n)
            m_places[r * m_targets.size() + m_rows[r][n].source] = static_cast<std::uint16_t>(n + 1);
}

std::uint64_t multicast_table::search(std::uint32_t router, std::uint32_t source) const {
    const std::vector<row>& rows = m_rows[router];
    const auto at = std::lower_bound(rows.begin(), rows.end(), source,
                                     [](const row& a, std::uint32_t s) { return a.source < s; });
    return at == rows.end() || at->source != source ? 0 : at->ports;
}

template <class F>
void multicast_table::follow(std::uint32_t source, std::uint32_t router, std::uint32_t along, F visit) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> left{{router, along}};
    while (!left.empty()) {
        const auto [r, by] = left.back();
        left.pop_back();
        const std::uint64_t out = ports(r, source, by);
        if (!visit(r, out)) return;
        for (std::uint32_t k = 0; k < hexagon::links; ++k)
            if ((out >> k & 1) != 0) left.emplace_back(next(r, k), k);
    }
}

void multicast_table::finish(const twice& fails) {
    index();
    constexpr std::uint32_t nobody = ~0U;
    std::vector<std::uint32_t> seen(m_rows.size(), nobody);
    for (std::uint32_t s = 0; s < m_targets.size(); ++s) {
        std::vector<std::uint32_t>& found = m_targets[s];
        follow(s, s / m_nodes_each, from_node, [&](std::uint32_t r, std::uint64_t out) {
            if (seen[r] == s) {
                fails(s, r);
                return false;
            }
            seen[r] = s;
            for (std::uint64_t nodes = out >> hexagon::links; nodes != 0; nodes &= nodes - 1)
                found.push_back(r * m_nodes_each + static_cast<std::uint32_t>(__builtin_ctzll(nodes)));
            return true;
        });
        std::sort(found.begin(), found.end());
    }
}

std::pair<std::uint32_t, std::uint32_t> multicast_table::fullest() const {
    std::pair<std::uint32_t, std::uint32_t> most{0, 0};
    for (std::uint32_t r = 0; r < m_rows.size(); ++r)
        if (m_rows[r].size() > most.first) most = {static_cast<std::uint32_t>(m_rows[r].size()), r};
    return most;
}

std::uint32_t multicast_table::targets_beyond(std::uint32_t source, std::uint32_t router,
                                              std::uint32_t port) const {
    if (port >= hexagon::links) return 1;
    std::uint32_t count = 0;
    follow(source, next(router, port), port, [&](std::uint32_t, std::uint64_t out) {
        count += static_cast<std::uint32_t>(__builtin_popcountll(out >> hexagon::links));
        return true;
    });
    return count;
}

}  // namespace sare
