// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/level_times.h"

#include "tlm/fabric/parts/network_clocks.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/topology/region/clock_region.h"

#include <algorithm>

namespace sare {

power_blocks::power_blocks(const topology& map) : m_routers(map.routers()) {
    std::vector<std::uint32_t> all;
    const auto add = [&](const clock_region* region) {
        auto at = std::find(m_domains.begin(), m_domains.end(), region);
        if (at == m_domains.end()) at = m_domains.insert(at, region);
        all.push_back(static_cast<std::uint32_t>(at - m_domains.begin()));
        if (region != nullptr)
            m_levels = std::max(m_levels, static_cast<std::uint32_t>(region->levels.size()));
    };
    for (std::uint32_t r = 0; r < map.routers(); ++r) add(map.region(router_id(r)));
    for (std::uint32_t n = 0; n < map.nodes(); ++n) add(map.region(node_id(n)));
    if (has_domains()) m_domain_of = std::move(all);
}

std::uint32_t power_blocks::level_at(const network_clocks& clocks, std::uint32_t domain, cycle_t t) const {
    const clock_region* const region = m_domains[domain];
    return region != nullptr && region->changes() ? clocks.levels_of(*region).level_at(t) : 0;
}

std::vector<std::uint32_t> power_blocks::flits(const network_view& net) const {
    std::vector<std::uint32_t> all(size());
    for (std::uint32_t r = 0; r < m_routers; ++r)
        if (net.has_router(r)) all[r] = net.flits_sent(r);
    for (std::size_t b = m_routers; b < all.size(); ++b) {
        const auto n = static_cast<std::uint32_t>(b - m_routers);
        if (!net.is_here(n)) continue;
        const nic_state& nic = net.nic(n);
        all[b] = static_cast<std::uint32_t>(nic.injected_flits + nic.consumed_flits);
    }
    return all;
}

level_times::level_times(const topology& map, const network_clocks& clocks, const power_blocks& blocks,
                         const power_series& series, double window)
    : m_map(map), m_blocks(blocks), m_series(series), m_window(window), m_of(blocks.domains().size()) {
    if (blocks.levels() == 1) return;
    for (std::size_t d = 0; d < m_of.size(); ++d) {
        const clock_region* const region = blocks.domains()[d];
        if (region == nullptr || !region->changes()) continue;
        m_of[d].clock = &clocks.levels_of(*region);
        look_at(m_of[d]);
    }
    m_flits.resize(blocks.size() * blocks.levels());
    for (std::size_t i = 0; i < series.size(); ++i)
        for (std::size_t k = 0; k < m_flits.size(); ++k) m_flits[k] += series.flits(i)[k];
}

/// Goes through the spans of a clock in the window.
void level_times::look_at(one_domain& d) const {
    std::vector<span> sum(m_blocks.levels());
    const auto& spans = d.clock->spans();
    std::size_t s = 0;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        cycle_t at = m_series.begin(i);
        while (at < m_series.end(i)) {
            while (s + 1 < spans.size() && spans[s + 1].from <= at) ++s;
            const cycle_t end =
                s + 1 < spans.size() ? std::min(spans[s + 1].from, m_series.end(i)) : m_series.end(i);
            span& its = sum[spans[s].level];
            its.cycles += end - at;
            its.edges += d.clock->first_edge(end) - d.clock->first_edge(at);
            at = end;
        }
        d.until.push_back(sum);
    }
    if (d.until.empty()) d.until.push_back(sum);  // the window is empty
}

level_times::span level_times::until(std::uint32_t domain, std::uint32_t level, std::size_t i) const {
    const one_domain& d = m_of[domain];
    if (d.clock != nullptr) return d.until[i][level];
    const cycle_t all = level == 0 ? m_series.end(i) - m_series.begin(0) : 0;
    return {all, all};
}

double level_times::edges(std::uint32_t domain) const {
    double all = 0;
    for (const span& s : m_of[domain].until.back()) all += static_cast<double>(s.edges);
    return all;
}

level_use level_times::use(std::size_t block, const clock_ratio& clock, std::uint32_t level) const {
    const std::uint32_t domain = block < m_blocks.size() ? m_blocks.domain_of(block) : 0;
    const one_domain& d = m_of[domain];
    if (d.clock == nullptr) {
        if (level != 0) return {};
        return {1, m_window / clock.period(), m_window, 1};
    }
    const auto flits = m_flits.begin() + static_cast<std::ptrdiff_t>(block * m_blocks.levels());
    const auto all = static_cast<double>(std::accumulate(flits, flits + m_blocks.levels(), std::uint64_t{0}));
    const span& last = d.until.back()[level];
    const auto here = static_cast<double>(last.cycles);
    return {all > 0 ? static_cast<double>(flits[level]) / all : here / m_window,
            static_cast<double>(last.edges), here, here / m_window};
}

double level_times::period(std::size_t block, const clock_ratio& clock) const {
    const std::uint32_t domain = block < m_blocks.size() ? m_blocks.domain_of(block) : 0;
    if (!changes(domain)) return clock.period();
    return m_window / std::max(1.0, edges(domain));
}

}  // namespace sare
