// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/multicast/multicast.h"
#include "tlm/topology/grid/step_network.h"

#include <fmt/format.h>

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

multicast_table::multicast_table(const topology& net, const config::location& at)
    : m_net(&net),
      m_straight(net.name() == "triangular_torus"),
      m_rows(net.routers()),
      m_targets(net.nodes()),
      m_links(net.nodes()),
      m_unicast_links(net.nodes()) {
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        if (const std::uint32_t ports = net.ports(router_id(r)); ports > 64)
            throw config::error(
                at, fmt::format(
                        "router {} has {} ports; where packets go to several nodes at once, 64 are the most",
                        r, ports));
}

void multicast_table::add(std::uint32_t router, std::uint32_t source, std::uint64_t ports,
                          const std::vector<vc_mask>& vcs) {
    const auto first = static_cast<std::uint32_t>(m_vcs.size());
    m_rows[router].push_back({source, vcs.empty() ? all_vcs : first, ports});
    m_vcs.insert(m_vcs.end(), vcs.begin(), vcs.end());
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

const multicast_table::row* multicast_table::search(std::uint32_t router, std::uint32_t source) const {
    const std::vector<row>& rows = m_rows[router];
    const auto at = std::lower_bound(rows.begin(), rows.end(), source,
                                     [](const row& a, std::uint32_t s) { return a.source < s; });
    return at == rows.end() || at->source != source ? nullptr : &*at;
}

template <class F>
void multicast_table::for_each_peer(std::uint32_t router, std::uint64_t ports, F f) const {
    for (std::uint64_t rest = ports; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        f(port, m_net->peer(router_id(router), port_id(port)));
    }
}

template <class F>
void multicast_table::follow(std::uint32_t source, std::uint32_t router, std::uint32_t along, F visit) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> left{{router, along}};
    while (!left.empty()) {
        const auto [r, by] = left.back();
        left.pop_back();
        const std::uint64_t out = ports(r, source, by);
        if (!visit(r, out)) return;
        for_each_peer(r, out, [&](std::uint32_t port, const port_peer& to) {
            if (to.what == port_peer::kind::router) left.emplace_back(to.id, port);
        });
    }
}

void multicast_table::finish(const twice& fails) {
    index();
    constexpr std::uint32_t nobody = ~0U;
    std::vector<std::uint32_t> seen(m_rows.size(), nobody);
    for (std::uint32_t s = 0; s < m_targets.size(); ++s) {
        const std::uint32_t root = m_net->router_of(node_id(s)).value;
        follow(s, root, from_node, [&](std::uint32_t r, std::uint64_t out) {
            if (seen[r] == s || (out == 0 && r != root)) {
                fails(s, r);
                return false;
            }
            seen[r] = s;
            for_each_peer(r, out, [&](std::uint32_t, const port_peer& to) {
                to.what == port_peer::kind::node ? m_targets[s].push_back(to.id) : void(++m_links[s]);
            });
            return true;
        });
        std::sort(m_targets[s].begin(), m_targets[s].end());
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
    const port_peer to = m_net->peer(router_id(router), port_id(port));
    if (to.what != port_peer::kind::router) return 1;
    std::uint32_t count = 0;
    follow(source, to.id, port, [&](std::uint32_t r, std::uint64_t out) {
        for_each_peer(r, out, [&](std::uint32_t, const port_peer& beyond) {
            count += beyond.what == port_peer::kind::node ? 1U : 0U;
        });
        return true;
    });
    return count;
}

}  // namespace sare
