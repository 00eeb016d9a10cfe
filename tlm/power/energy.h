// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/activity.h"
#include "tlm/power/design.h"
#include "tlm/power/ledger.h"

#include <vector>

namespace sare {

/// Of a run: what it is worked out from beside the network.
struct energy_question {
    const network_design& design;
    const topology& map;
    const network_activity& did;
    const run_result& out;
    double cycles = 0;                  ///< of the network's clock, in the measured window
    double hertz = 0;                   ///< of that clock
    const std::vector<double>& asleep;  ///< cycles, by row of links; none: no link sleeps
};

/// Events times what each costs, cycles times clocks, time times leakage.
energy_ledger find_energy(const energy_question& q);

}  // namespace sare
