// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/surviving_network.h"

#include "tlm/topology/adjacency.h"

namespace sare {

surviving_network::surviving_network(const topology& map) : m_map(map), m_dead_router(map.routers(), false) {
    set_names(map.names());
    std::size_t ports = 0;
    for (std::uint32_t r = 0; r < map.routers(); ++r) {
        m_first_port.push_back(ports);
        ports += map.ports(router_id(r));
    }
    m_dead.assign(ports, false);
}

void surviving_network::fail(std::uint32_t router, std::uint32_t port) {
    if (m_map.peer(router_id(router), port_id(port)).what == port_peer::kind::router)
        m_dead[m_first_port[router] + port] = true;
}

port_peer surviving_network::source(router_id r, port_id p) const {
    const port_peer from = m_map.source(r, p);
    return from.what == port_peer::kind::router && is_dead(from.id, from.port) ? port_peer{} : from;
}

/// Links fail in both directions, so what is reached comes back.
void surviving_network::find_parts() {
    const adjacency graph(*this, adjacency::direction::forward);
    std::vector<std::uint32_t> distance, queue;
    m_part.assign(routers(), unreached);
    for (std::uint32_t r = 0; r < routers(); ++r) {
        if (m_part[r] != unreached) continue;
        breadth_first(graph, r, distance, queue);
        for (const std::uint32_t q : queue) m_part[q] = r;
    }
}

bool surviving_network::reaches(std::uint32_t from_node, std::uint32_t to_node) const {
    const std::uint32_t from = router_of(node_id(from_node)).value,
                        to = ejection_of(node_id(to_node)).router.value;
    return !m_dead_router[from] && !m_dead_router[to] && m_part[from] == m_part[to];
}

}  // namespace sare
