// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock/running_clock.h"
#include "tlm/topology/region/level_governor.h"

#include <deque>
#include <memory>
#include <vector>

namespace sare {

class network_state;
struct clock_region;

/// The clocks of the blocks of a network, and the governors (level_governor) that change clocks of regions
/// while it runs. Cycles are those of the network.
class network_clocks {
  public:
    /// Returns the clock of a block, valid as long as this object: the clock of its region if that changes,
    /// else a fixed clock of `ratio`. `region`: region of the block; null: none. The first call makes the
    /// clock; blocks of equal fixed clocks share one.
    const running_clock& of(const clock_ratio& ratio, const clock_region* region);
    /// Returns the edges and levels over time of a region for which of() has been called, and which
    /// changes(); neither is checked.
    const running_clock& levels_of(const clock_region& region) const;
    /// Returns the mean clock period of a region, in network cycles, over the cycles from `from` to `to` - 1.
    /// Without an edge in these cycles, returns the longest period of the region. `region` null: the
    /// network's clock, whose period is 1.
    double mean_period(const clock_region* region, cycle_t from, cycle_t to) const;
    /// Makes the governors, before cycle 0. `ahead`: cycles from a governor's choice until it takes effect,
    /// so that nothing under way is affected. Throws config::error for a governed region without routers, or
    /// with an interval that is too short.
    void begin(const network_state& net, cycle_t ahead);
    /// True if any region has a governor.
    bool are_governed() const { return !m_governed.empty(); }
    /// Returns the first cycle after `t` in which a governor chooses a level; ~0: there is no governor.
    cycle_t next_choice(cycle_t t) const;
    /// Lets governors make all their choices up to cycle `t`, before cycle `t` is run. A choice takes effect
    /// `ahead` cycles after it.
    void go_on(const network_state& net, cycle_t t);
    /// Returns the first cycle after `t` from which a level may differ: a change that is known, or the cycle
    /// after a governor's next choice. ~0: levels stay.
    cycle_t next_change(cycle_t t) const;
    void serialize(archive& a);

  private:
    /// A region whose levels change, and its clock.
    struct changing {
        const clock_region* region;
        running_clock clock;
    };
    /// A region with a governor.
    struct governed {
        changing* its;
        std::unique_ptr<level_governor> policy;
        std::vector<std::uint32_t> routers;
        /// Connected output ports of the routers; their buffer places, in flits.
        double outputs = 0, places = 0;
        std::uint64_t sent = 0;  ///< flits sent before the present interval, modulo 2^32 each
        cycle_t next = 0;        ///< cycle of the next choice

        void serialize(archive& a);
    };
    const running_clock& add(const clock_region& region);
    static void choose(const network_state& net, governed& g, cycle_t ahead);

    std::deque<running_clock> m_fixed;  ///< clocks that never change, except that of the network
    std::deque<changing> m_changing;    ///< regions whose levels change
    std::vector<governed> m_governed;
    cycle_t m_ahead = 0;  ///< the `ahead` of begin()
};

}  // namespace sare
