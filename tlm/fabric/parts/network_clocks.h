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

/// The clocks of a network, and the governors that change some of them.
class network_clocks {
  public:
    /// Returns the clock of a block: of `ratio`, or of its region if its clock changes. `region`: null: none.
    /// Makes it at the first call; equal clocks that never change are one.
    const running_clock& of(const clock_ratio& ratio, const clock_region* region);
    /// Returns the levels of a region that changes, of which of() has been asked, with the edges of its
    /// clock.
    const running_clock& levels_of(const clock_region& region) const;
    /// Returns the mean period in network cycles [from, to) of the clock of a region; null: of the network.
    double mean_period(const clock_region* region, cycle_t from, cycle_t to) const;
    /// Lets governors begin. `ahead`: cycles within which nothing may change any more, as something may be
    /// under way. Throws config::error for a domain that cannot have one.
    void begin(const network_state& net, cycle_t ahead);
    /// True if some clock has a governor.
    bool are_governed() const { return !m_governed.empty(); }
    /// Returns the first cycle after `t` in which a governor chooses; ~0: none.
    cycle_t next_choice(cycle_t t) const;
    /// Lets governors choose in all their cycles up to `t`, before that cycle is run. A choice holds from
    /// `ahead` cycles later on.
    void go_on(const network_state& net, cycle_t t);
    /// Returns the first cycle after `t` before which a level may change, or in which a governor has chosen;
    /// ~0: none is known.
    cycle_t next_change(cycle_t t) const;
    void serialize(archive& a);

  private:
    struct changing {
        const clock_region* region;
        running_clock clock;
    };
    struct governed {
        changing* its;
        std::unique_ptr<level_governor> policy;
        std::vector<std::uint32_t> routers;
        double outputs = 0, places = 0;  ///< output ports of the routers; places of their input buffers
        std::uint64_t sent = 0;          ///< flits sent before the present interval, modulo 2^32 each
        cycle_t next = 0;                ///< cycle of the next choice

        void serialize(archive& a);
    };
    const running_clock& add(const clock_region& region);
    static void choose(const network_state& net, governed& g, cycle_t ahead);

    std::deque<running_clock> m_fixed;
    std::deque<changing> m_changing;
    std::vector<governed> m_governed;
    cycle_t m_ahead = 0;
};

}  // namespace sare
