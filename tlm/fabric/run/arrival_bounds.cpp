// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/run/arrival_bounds.h"

#include "tlm/fabric/network_state.h"
#include "tlm/router_api/pipelined_model.h"
#include "tlm/topology/path_search.h"

#include <algorithm>

namespace sare {

arrival_bounds::arrival_bounds(const network_state& net) : m_net(net) {}

arrival_bounds::~arrival_bounds() = default;

/// Looks at the kind of a finished network once; at its observers and workload in each call.
bool arrival_bounds::is_known() {
    if (!m_suits) {
        if (!m_net.is_finished()) return false;
        m_suits = runs_alone(m_net) && !m_net.modes.has_slow && m_net.foreign.empty();
    }
    return *m_suits && m_net.watch == nullptr && !m_net.shuffle.on && m_net.traffic.main == nullptr &&
           m_net.observers.get() == nullptr;
}

/// Cycles from the sending of a message to its arrival, at least; 0: not known.
cycle_t arrival_bounds::least_cycles(const message& m) {
    const std::uint64_t key = std::uint64_t{m.source} << 32 | m.destination;
    recent& last = m_recent[(m.source * 31 + m.destination) % recent_paths];
    if (last.key != key) last = {key, least_of_head(m.source, m.destination)};
    if (last.least == 0) return 0;
    return last.least + std::min(m.flits, std::uint32_t{std::as_const(m_net.nics)[m.source].max_packet}) - 1;
}

/// Cycles of a head at least, along a shortest path through the fastest routers and links; 0: not known.
cycle_t arrival_bounds::least_of_head(std::uint32_t source, std::uint32_t destination) {
    if (!m_router_cycles) {
        m_router_cycles = ~0U;
        for (const auto& model : m_net.table.models) {
            const auto* its = dynamic_cast<const pipelined_model*>(model.get());
            m_router_cycles = std::min(*m_router_cycles, its == nullptr ? 0 : its->least_head_cycles());
        }
    }
    const bool elsewhere = m_net.nics.is_taken_over(source) || m_net.nics.is_taken_over(destination);
    if (*m_router_cycles == 0 || elsewhere || m_net.map() == nullptr) return 0;
    if (m_paths == nullptr) m_paths = std::make_unique<path_search>(*m_net.map());
    // For more sources than the search keeps results of, it would cost more than is saved.
    if (m_paths->searches() * m_net.routers() > path_search::most_kept) return 0;
    const router_id from = m_net.map()->router_of(node_id(source));
    const router_id to = m_net.map()->ejection_of(node_id(destination)).router;
    const cycle_t links = m_paths->path(from, to).links;
    return std::as_const(m_net.nics)[source].flits.delay +
           links * (*m_router_cycles + m_net.least_link_cycles) + *m_router_cycles +
           m_net.least_ejection_cycles;
}

void arrival_bounds::add(cycle_t at) {
    if (at != 0) m_bounds.add(at);
}

bool arrival_bounds::any_under_way() const {
    return m_net.messages().in_use() != 0;
}

cycle_t arrival_bounds::next_call(cycle_t t) {
    if (!m_net.parts.front().its_nics->room().empty()) return t;
    const std::uint32_t under_way = m_net.messages().in_use();
    if (under_way == 0) return last_on_links(t);
    while (!m_bounds.empty() && m_bounds.front() <= t) m_bounds.pop();
    return m_bounds.size() == under_way ? m_bounds.front() : t;
}

/// Last cycle after `t` in which something on links arrives: credits alone, as no message is under way.
cycle_t arrival_bounds::last_on_links(cycle_t t) const {
    const link_ring& ring = m_net.parts.front().base.ring();
    for (cycle_t at = t + ring.reach(); at > t; --at)
        if (ring.at(at)[0] != 0) return at;
    return workload::never;
}

}  // namespace sare
