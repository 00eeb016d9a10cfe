// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/activity.h"
#include "tlm/power/design.h"
#include "tlm/power/ledger.h"

#include <vector>

namespace sare {

/// Everything that the energy of a run is computed from.
struct energy_question {
    const network_design& design;
    const topology& map;
    const network_activity& did;
    const run_result& out;
    double cycles = 0;                  ///< cycles of the measured window
    double hertz = 0;                   ///< clock frequency by the section `power`, in Hz
    const std::vector<double>& asleep;  ///< cycles asleep, by row of links; empty: no link sleeps
};

/// Computes the energies: events times their costs, cycles times clock energy, time times leakage.
energy_ledger find_energy(const energy_question& q);

}  // namespace sare
