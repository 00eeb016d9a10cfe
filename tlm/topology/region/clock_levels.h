// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/region/clock_region.h"

#include <string>

namespace sare {

/// Clock and supply voltage of a domain, as a configuration gives them.
struct level_params {
    std::string frequency;          ///< frequency with its unit, such as "500MHz"; "": not given
    std::string clock;              ///< network cycles in a cycle of the domain, such as "3/2"; "": not given
    double voltage = 0;             ///< supply voltage in V; 0: not given
    config::location at, clock_at;  ///< places of the entry, and of `frequency` or else `clock`, for errors

    static config::schema<level_params> fields();  ///< schema of these keys
    /// Sets `at` and `clock_at` from `entry`. Throws config::error if it has both `frequency` and `clock`.
    /// `whose`: name of the domain for errors: "domain 'cpu'".
    void locate(const config::value& entry, const std::string& whose);
    /// Returns the level in a network whose cycles take `clock_seconds` s; a clock or voltage that is not
    /// given is taken from `before`. Throws config::error for a period that is not from 1 to 1,000 network
    /// cycles, as a fraction of numbers up to 10,000 and 4,000.
    clock_level level(double clock_seconds, const std::string& whose, const clock_level& before = {}) const;
};

/// Changes of the clock and supply voltage of a domain, as a configuration gives them.
struct level_changes {
    config::value schedule;         ///< list of times with levels; null: none
    config::value levels;           ///< list of levels that a governor may choose beside level 0; null: none
    config::value governor;         ///< governor with its parameters; null: none
    std::uint64_t interval = 1000;  ///< network cycles from one choice of the governor to the next
    std::uint32_t switching = 0;    ///< network cycles for which the clock stands still at a change

    static config::schema<level_changes> fields();  ///< schema of these keys
    /// Throws config::error if `entry` has a key that has no effect without another key. `whose`: "domain
    /// 'cpu'".
    void check_used(const config::value& entry, const std::string& whose) const;
    /// Adds the levels and changes to `to`, which has level 0 only. `whose`: name of the domain for errors;
    /// `at`: place of the domain. Throws config::error for levels or changes that cannot be.
    void apply(double clock_seconds, const std::string& whose, const config::location& at,
               clock_region& to) const;
};

}  // namespace sare
