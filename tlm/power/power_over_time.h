// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/ledger.h"
#include "tlm/power/level_times.h"

#include <vector>

namespace sare {

struct reading;

/// Energies of the measured window by interval and by domain (see power_blocks). The energies of all
/// intervals, and of all domains, add up to the energy of the window.
struct power_over_time {
    /// Spreads the energies `all` over the intervals of `series`: the dynamic energy of a block at a level in
    /// proportion to its flits at that level in an interval, the clock's to clock edges, leakage to time.
    /// `hertz`: frequency of the network's clock in Hz.
    power_over_time(const reading& from, const energy_ledger& all, const power_blocks& blocks,
                    const power_series& series, const level_times& times, double hertz);

    std::vector<attojoules> network;                 ///< energy of the network in each interval of the series
    std::vector<std::vector<attojoules>> of_domain;  ///< energy by [number of the domain][interval]
    std::vector<energy_by_cause> domains;            ///< energy of each domain in the window, by number
    /// Highest mean power in an interval of each router with the links that leave it and its nodes, in W, by
    /// router. Intervals shorter than the first do not count, here and for `peak`.
    std::vector<double> peak_of_router;
    double peak = 0;          ///< highest mean power of the network in an interval, in W
    std::size_t peak_at = 0;  ///< index of the first interval with `peak`; 0 without intervals
};

}  // namespace sare
