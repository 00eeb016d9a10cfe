// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/ledger.h"
#include "tlm/power/level_times.h"

#include <vector>

namespace sare {

struct reading;

/// Energies of the measured window by interval and by domain. Those of all intervals and of all domains add
/// up to the whole.
struct power_over_time {
    /// Spreads the energies `all` over the intervals of `series`: the dynamic energy of a block at a level by
    /// the flits that it sends at that level, clock and leakage by the time that it has it. `hertz`: clock
    /// frequency in Hz.
    power_over_time(const reading& from, const energy_ledger& all, const power_blocks& blocks,
                    const power_series& series, const level_times& times, double hertz);

    std::vector<attojoules> network;                 ///< energy of the network in each interval
    std::vector<std::vector<attojoules>> of_domain;  ///< energy of each domain in each interval
    std::vector<energy_by_cause> domains;            ///< energy of each domain
    /// Highest mean power in an interval, of each router with the links that leave it and its nodes, in W.
    std::vector<double> peak_of_router;
    double peak = 0;          ///< highest mean power of the network in an interval, in W
    std::size_t peak_at = 0;  ///< number of that interval
};

}  // namespace sare
