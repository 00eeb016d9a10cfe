// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/region/clock_region.h"

#include <string>

namespace sare {

/// Clock and supply of a domain, as they are written.
struct level_params {
    std::string frequency;          ///< frequency with its unit, such as "500MHz"; "": not given
    std::string clock;              ///< network cycles in a cycle of the domain, such as "3/2"; "": not given
    double voltage = 0;             ///< supply voltage in V; 0: not given
    config::location at, clock_at;  ///< places of the entry, and of `frequency` or else `clock`, for errors

    static config::schema<level_params> fields();
    /// Notes where an entry was written. Throws config::error if it has `frequency` and `clock`. `whose`:
    /// "domain 'cpu'".
    void locate(const config::value& entry, const std::string& whose);
    /// Returns the level in a network whose cycles take `clock_seconds` s; what is not given is as in
    /// `before`. Throws config::error for a clock that is faster than the network's, or whose fraction is not
    /// simple enough.
    clock_level level(double clock_seconds, const std::string& whose, const clock_level& before = {}) const;
};

/// How the clock and supply of a domain change.
struct level_changes {
    config::value schedule;  ///< list of times with levels; null: none
    config::value levels;    ///< list of levels that a governor may choose, after the first; null: none
    config::value governor;  ///< governor with its parameters; null: none
    std::uint64_t interval = 1000;  ///< cycles from one question to the governor to the next
    std::uint32_t switching = 0;    ///< network cycles for which the domain stops at a change

    static config::schema<level_changes> fields();
    /// Throws config::error if an entry has a key that has no effect without another one. `whose`:
    /// "domain 'cpu'".
    void check_used(const config::value& entry, const std::string& whose) const;
    /// Adds the levels and changes to `to`, which has its first level. `whose`: "domain 'cpu'"; `at`: place
    /// of the domain. Throws config::error.
    void apply(double clock_seconds, const std::string& whose, const config::location& at,
               clock_region& to) const;
};

}  // namespace sare
