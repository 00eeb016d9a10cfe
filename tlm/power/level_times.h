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

/// Blocks of a network for its power over time. Without domains (regions with a clock and supply of their
/// own) block r is router r with the links that it writes and its nodes. With domains, router r is block r
/// with the links that it writes, and node n is block of_node(n) with its injection link.
class power_blocks {
  public:
    /// Finds the blocks of `map`, whose regions must outlive this object.
    explicit power_blocks(const topology& map);

    /// Domains of blocks by number: null for all blocks in no region, then the regions.
    const std::vector<const clock_region*>& domains() const { return m_domains; }
    bool has_domains() const { return m_domains.size() > 1; }  ///< true: a block is in a region
    std::uint32_t levels() const { return m_levels; }          ///< most levels of a domain, at least 1
    /// Number of blocks.
    std::size_t size() const { return has_domains() ? m_domain_of.size() : m_routers; }
    /// Number of the block of a node; without domains no block has this number, and size() is lower.
    std::size_t of_node(std::uint32_t node) const { return m_routers + node; }
    /// Number of the domain of a block: its index in domains(); 0 without domains.
    std::uint32_t domain_of(std::size_t block) const { return m_domain_of.empty() ? 0 : m_domain_of[block]; }
    /// Returns the level that a domain has in cycle `t`; 0 if it does not change.
    std::uint32_t level_at(const network_clocks& clocks, std::uint32_t domain, cycle_t t) const;
    /// Returns, by block, the flits since the start of the run, modulo 2^32: sent by a router, or sent and
    /// taken by a node; 0 for blocks of other processes.
    std::vector<std::uint32_t> flits(const network_view& net) const;

  private:
    std::uint32_t m_routers, m_levels = 1;                ///< number of routers; see levels()
    std::vector<const clock_region*> m_domains{nullptr};  ///< see domains()
    std::vector<std::uint32_t> m_domain_of;               ///< domain of each block; empty without domains
};

/// Use of a level of clock and voltage by a block in the measured window.
struct level_use {
    double share = 0;   ///< share of the block's events at the level, 0 to 1
    double edges = 0;   ///< number of edges of the block's own clock at the level, in the window
    double cycles = 0;  ///< number of network cycles in which the block had the level
    double time = 0;    ///< share of the window in which the block had the level, 0 to 1
};

/// Times for which routers and NICs have had each level of clock and voltage in the measured window.
class level_times {
  public:
    /// Computes the times of the measured window of `window` network cycles. `series`: flits in it by
    /// [block * levels + level] of `blocks`. All arguments but `clocks` must outlive this object.
    level_times(const topology& map, const network_clocks& clocks, const power_blocks& blocks,
                const power_series& series, double window);

    /// Return the use of a level by router `r`, and by the NIC of node `n`; all 0 for a level from 1 on of a
    /// block whose domain does not change.
    level_use router(std::uint32_t r, std::uint32_t level) const {
        return use(r, m_map.clock(router_id(r)), level);
    }
    level_use node(std::uint32_t n, std::uint32_t level) const {
        return use(m_blocks.of_node(n), m_map.clock(node_id(n)), level);
    }
    /// Return the mean length in the window of a cycle of router `r`, and of the NIC of node `n`, in network
    /// cycles.
    double period_of_router(std::uint32_t r) const { return period(r, m_map.clock(router_id(r))); }
    double period_of_node(std::uint32_t n) const {
        return period(m_blocks.of_node(n), m_map.clock(node_id(n)));
    }
    /// Network cycles for which a domain has had a level, and edges of its clock in them.
    struct span {
        cycle_t cycles = 0, edges = 0;  ///< numbers of both
    };
    /// Returns the span of a level of a domain from the beginning of the window to the end of interval `i` of
    /// the series, which must be below its size(). A domain that does not change has level 0 in all network
    /// cycles, each counted as an edge.
    span until(std::uint32_t domain, std::uint32_t level, std::size_t i) const;
    /// Returns the number of edges of a domain's clock in the window. Call only if changes(domain).
    double edges(std::uint32_t domain) const;
    /// True if the clock or the voltage of a domain changes.
    bool changes(std::uint32_t domain) const { return m_of[domain].clock != nullptr; }

  private:
    struct one_domain {
        const running_clock* clock = nullptr;  ///< clock; null: the domain does not change
        std::vector<std::vector<span>> until;  ///< see until(); [interval][level]
    };
    void look_at(one_domain& d) const;  ///< fills d.until
    level_use use(std::size_t block, const clock_ratio& clock, std::uint32_t level) const;
    double period(std::size_t block, const clock_ratio& clock) const;

    const topology& m_map;
    const power_blocks& m_blocks;
    const power_series& m_series;
    double m_window;                     ///< network cycles of the window
    std::vector<one_domain> m_of;        ///< domains, by number
    std::vector<std::uint64_t> m_flits;  ///< flits in the window: [block * levels + level]
};

}  // namespace sare
