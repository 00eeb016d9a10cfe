// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock/running_clock.h"
#include "tlm/config/value.h"

#include <string>
#include <vector>

namespace sare {

/// A clock and a supply voltage that a region may have.
struct clock_level {
    clock_ratio clock;      ///< clock by that of the network
    double voltage = 0;     ///< supply voltage in V; 0: that of the network
    bool in_hertz = false;  ///< true: given as a frequency, beside that of the network's clock_period
    friend bool operator==(const clock_level& a, const clock_level& b) {
        return a.clock == b.clock && a.voltage == b.voltage;
    }
};

/// Routers and NICs with a clock and a supply of their own: a key of the section `domains`.
struct clock_region {
    std::string name;
    clock_ratio clock;                ///< fastest clock of its levels
    std::vector<clock_level> levels;  ///< level 0 is that of the start; one element: it never changes
    running_clock::limits limits;     ///< clocks of the levels, and how long it stops at a change

    /// A change to a level, at the first edge from cycle `at` on.
    struct step {
        cycle_t at;
        std::uint32_t level;
    };
    std::vector<step> schedule;  ///< changes in order; empty: a governor makes them, or nobody does
    config::value governor;      ///< governor with its parameters; null: none
    cycle_t interval = 0;        ///< cycles from one question to the governor to the next

    /// Returns the fastest clock that it may have in cycle `t` or later.
    clock_ratio fastest_from(cycle_t t) const;
    /// True if its clock or its voltage changes.
    bool changes() const { return levels.size() > 1; }
    /// True if its clock changes or stops.
    bool changes_clock() const { return changes() && (limits.fastest != limits.slowest || limits.stop != 0); }
};

}  // namespace sare
