// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock/running_clock.h"
#include "tlm/config/value.h"

#include <string>
#include <vector>

namespace sare {

/// A clock and a supply voltage that a region may have.
struct clock_level {
    clock_ratio clock;      ///< clock, its period in network cycles
    double voltage = 0;     ///< supply voltage in V; 0: voltage of the network
    bool in_hertz = false;  ///< true: `clock` was given as a frequency, not in network cycles
    friend bool operator==(const clock_level& a, const clock_level& b) {
        return a.clock == b.clock && a.voltage == b.voltage;
    }
};

/// Routers and NICs with a clock and a supply voltage of their own: an entry of the section `domains`.
struct clock_region {
    std::string name;   ///< key of the entry
    clock_ratio clock;  ///< fastest clock that it may have, see with_regions()
    /// Levels of the region, which starts a run at level 0; one element: its clock and voltage never change.
    std::vector<clock_level> levels;
    running_clock::limits limits;  ///< fastest and slowest clock of `levels`, and the stop at a change

    /// A change to level `level`, at the first edge from network cycle `at` on.
    struct step {
        cycle_t at;           ///< network cycle
        std::uint32_t level;  ///< index in `levels`
    };
    /// Changes of level in the order of time; empty: a governor makes them, or there are none.
    std::vector<step> schedule;
    config::value governor;  ///< governor with its parameters; null: none
    cycle_t interval = 0;    ///< network cycles from one choice of the governor to the next

    /// Returns the fastest clock that the region may have in network cycle `t` or later.
    clock_ratio fastest_from(cycle_t t) const;
    /// True if the clock or the voltage of the region changes.
    bool changes() const { return levels.size() > 1; }
    /// True if the clock of the region changes or stops.
    bool changes_clock() const { return changes() && (limits.fastest != limits.slowest || limits.stop != 0); }
};

}  // namespace sare
