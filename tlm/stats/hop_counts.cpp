// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/hop_counts.h"

#include "tlm/state/archive.h"
#include "tlm/stats/add_each.h"
#include "tlm/stats/results.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/topology.h"

#include <algorithm>
#include <limits>

namespace sare {

hop_counts::hop_counts(const counted_network& net)
    : m_consumed(std::size_t{std::numeric_limits<decltype(packet::hops)>::max()} + 1) {
    constexpr std::uint32_t most_nodes = 1024;  // two megabytes
    if (net.map() != nullptr && net.nodes() <= most_nodes) find_distances(net);
}

void hop_counts::find_distances(const counted_network& net) {
    const topology& map = *net.map();
    const adjacency graph(map, adjacency::direction::forward);
    m_nodes = net.nodes();
    std::vector<std::uint32_t> links, queue;
    for (std::uint32_t s = 0; s < m_nodes; ++s) {
        breadth_first(graph, map.router_of(node_id(s)).value, links, queue);
        for (std::uint32_t d = 0; d < m_nodes; ++d)
            m_distances.push_back(
                static_cast<std::uint16_t>(links[map.ejection_of(node_id(d)).router.value] + 1));
    }
    m_pair_flits.resize(m_distances.size());
    m_injected.resize(std::size_t{*std::max_element(m_distances.begin(), m_distances.end())} + 1);
}

void hop_counts::report(run_result& out) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t packets = 0, hops = 0;
    out.hops_max = none;
    for (std::uint32_t h = 0; h < m_consumed.size(); ++h) {
        const std::uint64_t consumed = m_consumed[h], injected = h < m_injected.size() ? m_injected[h] : 0;
        packets += consumed;
        hops += h * consumed;
        if (consumed != 0) out.hops_max = h;
        if (consumed + injected != 0) out.distances.push_back({h, injected, consumed});
    }
    out.hops_mean = packets == 0 ? none : static_cast<double>(hops) / static_cast<double>(packets);
    out.pair_flits = m_pair_flits;
}

void hop_counts::add(const hop_counts& other) {
    add_each(m_injected, other.m_injected);
    add_each(m_consumed, other.m_consumed);
    add_each(m_pair_flits, other.m_pair_flits);
}

void hop_counts::serialize(archive& a) {
    a(m_injected, m_consumed, m_pair_flits);
}

}  // namespace sare
