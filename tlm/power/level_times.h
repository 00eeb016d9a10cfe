// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock/running_clock.h"
#include "tlm/power/power_series.h"
#include "tlm/topology/topology.h"

#include <numeric>
#include <vector>

namespace sare {

class network_clocks;
class network_view;
struct clock_region;

/// Blocks of a network for its power over time: the routers, each with the links that it writes and, if there
/// are no domains, with its nodes; else then the nodes, each with its link.
class power_blocks {
  public:
    explicit power_blocks(const topology& map);

    /// Domains of blocks: null for all that is in none, then regions.
    const std::vector<const clock_region*>& domains() const { return m_domains; }
    bool has_domains() const { return m_domains.size() > 1; }
    std::uint32_t levels() const { return m_levels; }  ///< most levels of a domain
    /// Number of blocks, and of the block of a node.
    std::size_t size() const { return has_domains() ? m_domain_of.size() : m_routers; }
    std::size_t of_node(std::uint32_t node) const { return m_routers + node; }
    /// Number of the domain of a block.
    std::uint32_t domain_of(std::size_t block) const { return m_domain_of.empty() ? 0 : m_domain_of[block]; }
    /// Returns the level that a domain has in cycle `t`.
    std::uint32_t level_at(const network_clocks& clocks, std::uint32_t domain, cycle_t t) const;
    /// Returns the flits that each block has sent since the start, or as a node sent and taken, modulo 2^32.
    std::vector<std::uint32_t> flits(const network_view& net) const;

  private:
    std::uint32_t m_routers, m_levels = 1;
    std::vector<const clock_region*> m_domains{nullptr};
    std::vector<std::uint32_t> m_domain_of;  ///< by block, nodes included; empty without domains
};

/// What a block does at a level of its clock and voltage, in the measured window.
struct level_use {
    double share = 0;   ///< share of its events
    double edges = 0;   ///< edges of its clock
    double cycles = 0;  ///< network cycles
};

/// How long routers and NICs have had each level in the measured window.
class level_times {
  public:
    /// `series`: flits by block and level, [block * levels + level], of the measured window of `window`
    /// cycles.
    level_times(const topology& map, const network_clocks& clocks, const power_blocks& blocks,
                const power_series& series, double window);

    level_use router(std::uint32_t r, std::uint32_t level) const {
        return use(r, m_map.clock(router_id(r)), level);
    }
    level_use node(std::uint32_t n, std::uint32_t level) const {
        return use(m_blocks.of_node(n), m_map.clock(node_id(n)), level);
    }
    /// Return the mean length of a cycle of a block, in network cycles.
    double period_of_router(std::uint32_t r) const { return period(r, m_map.clock(router_id(r))); }
    double period_of_node(std::uint32_t n) const {
        return period(m_blocks.of_node(n), m_map.clock(node_id(n)));
    }
    /// Network cycles for which a domain has had a level, and edges of its clock in them.
    struct span {
        cycle_t cycles = 0, edges = 0;
    };
    /// Returns what a domain has had of a level from the begin of the window to the end of interval `i` of
    /// the series. A domain that does not change has all cycles as level 0, each counted as an edge.
    span until(std::uint32_t domain, std::uint32_t level, std::size_t i) const;
    /// Returns the edges that the clock of a domain that changes has had at all levels.
    double edges(std::uint32_t domain) const;
    /// True if the clock of a domain changes.
    bool changes(std::uint32_t domain) const { return m_of[domain].clock != nullptr; }

  private:
    struct one_domain {
        const running_clock* clock = nullptr;  ///< null: it does not change
        std::vector<std::vector<span>> until;  ///< by interval and level
    };
    void look_at(one_domain& d) const;
    level_use use(std::size_t block, const clock_ratio& clock, std::uint32_t level) const;
    double period(std::size_t block, const clock_ratio& clock) const;

    const topology& m_map;
    const power_blocks& m_blocks;
    const power_series& m_series;
    double m_window;
    std::vector<one_domain> m_of;
    std::vector<std::uint64_t> m_flits;  ///< flits in the window: [block * levels + level]
};

}  // namespace sare
