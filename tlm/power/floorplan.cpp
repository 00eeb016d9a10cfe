// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/floorplan.h"

#include "tlm/router_api/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sare {

floorplan::floorplan(const topology& map, const link_length_params& params)
    : m_map(map), m_pitch(params.pitch), m_node_link(params.node_link) {
    for (const link_length& l : link_length::read(params.lengths)) {
        check(l);
        if (l.between.empty())
            m_of_nodes.push_back(l);
        else
            m_between[std::minmax(l.between[0], l.between[1])] = l.length;
    }
}

void floorplan::check(const link_length& l) const {
    if (l.between.empty()) {
        if (l.node.all || l.node.last() < m_map.nodes()) return;
        throw config::error(l.at, fmt::format("there is no node {}; the network has {}, 0 and up",
                                              l.node.last(), m_map.nodes()));
    }
    bool there = false;
    for_each_link(m_map, [&](const link_end& from, const link_end& to) {
        const bool routers = from.what == link_end::kind::router && to.what == link_end::kind::router;
        there = there || (routers && std::minmax(from.id, to.id) == std::minmax(l.between[0], l.between[1]));
    });
    if (!there)
        throw config::error(l.at, fmt::format("there is no link between router {} and router {}",
                                              l.between[0], l.between[1]));
}

void floorplan::for_each_length(const std::function<void(double mm)>& f) const {
    const auto picture = m_map.picture();
    const auto of_node = [&](std::uint32_t n) {
        const auto last = std::find_if(m_of_nodes.rbegin(), m_of_nodes.rend(),
                                       [n](const link_length& l) { return l.node.contains(n); });
        return last == m_of_nodes.rend() ? m_node_link : last->length;
    };
    for_each_link(m_map, [&](const link_end& from, const link_end& to) {
        if (from.what == link_end::kind::nic) return f(of_node(from.id));
        if (to.what == link_end::kind::nic) return f(of_node(to.id));
        const auto own = m_between.find(std::minmax(from.id, to.id));
        if (own != m_between.end()) return f(own->second);
        if (!picture) return f(m_pitch);
        const spot a = picture->of(router_id(from.id)), b = picture->of(router_id(to.id));
        f(m_pitch * std::max(1.0, std::abs(a.x - b.x) + std::abs(a.y - b.y)));
    });
}

}  // namespace sare
