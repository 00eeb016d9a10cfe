// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/parallel_links.h"

#include "tlm/routing/routing_support.h"

#include <algorithm>

namespace sare {
namespace {

bool has_any(const topology& net) {
    std::vector<std::uint32_t> next;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        next.clear();
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const port_peer to = net.peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) next.push_back(to.id);
        }
        std::sort(next.begin(), next.end());
        if (std::adjacent_find(next.begin(), next.end()) != next.end()) return true;
    }
    return false;
}

}  // namespace

parallel_links::parallel_links(const topology& net) {
    if (!has_any(net)) return;
    find_bundles(net);
    rank_nodes(net);
}

void parallel_links::find_bundles(const topology& net) {
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        const std::uint32_t ports = net.ports(router_id(r));
        const auto own = static_cast<std::uint32_t>(m_bundles.size());
        m_first_port.push_back(own);
        m_bundles.resize(own + ports);
        const auto leads_to = [&](std::uint32_t p) { return net.peer(router_id(r), port_id(p)); };
        for (std::uint32_t p = 0; p < ports; ++p) {
            const port_peer to = leads_to(p);
            if (to.what != port_peer::kind::router || at(r, p).place != 0) continue;
            bundle all{static_cast<std::uint32_t>(m_members.size()), 0, 0};
            for (std::uint32_t q = p; q < ports; ++q) {
                const port_peer also = leads_to(q);
                if (also.what != port_peer::kind::router || also.id != to.id) continue;
                m_bundles[own + q] = {all.first, 0, all.size++};
                m_members.push_back(static_cast<port_number>(q));
            }
            for (std::uint32_t k = 0; k < all.size; ++k)
                m_bundles[own + m_members[all.first + k]].size = all.size;
        }
    }
    m_first_port.push_back(static_cast<std::uint32_t>(m_bundles.size()));
}

void parallel_links::rank_nodes(const topology& net) {
    m_source.assign(m_bundles.size(), no_node);
    m_sources.assign(net.routers(), 0);
    std::vector<std::uint32_t> served(m_bundles.size(), net.nodes());  // by port: which node
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        m_source[m_first_port[net.router_of(node_id(n)).value] + net.port_of(node_id(n)).value] = 0;
        const router_port to = net.ejection_of(node_id(n));
        served[m_first_port[to.router.value] + to.port.value] = n;
    }
    m_rank.assign(net.nodes(), 0);
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        port_number rank = 0;
        for (std::uint32_t p = m_first_port[r]; p < m_first_port[r] + net.ports(router_id(r)); ++p) {
            if (m_source[p] != no_node) m_source[p] = m_sources[r]++;
            if (served[p] != net.nodes()) m_rank[served[p]] = rank++;
        }
    }
}

port_number parallel_links::for_packet(std::uint32_t r, std::uint32_t in, port_number port,
                                       std::uint32_t destination) const {
    if (!any()) return port;
    const std::uint32_t from = m_first_port[r] + in, c = m_sources[r];
    const std::uint32_t i = from < m_first_port[r + 1] ? m_source[from] : no_node;
    if (i == no_node) return for_destination(r, port, destination);
    const bundle& b = at(r, port);
    if (i >= b.size) return m_members[b.first + i % b.size];
    const std::uint32_t own = (b.size - i + c - 1) / c;
    return m_members[b.first + i + (b.place + m_rank[destination]) % b.size % own * c];
}

}  // namespace sare
