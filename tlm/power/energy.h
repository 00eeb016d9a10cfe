// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/activity.h"
#include "tlm/power/design.h"
#include "tlm/power/ledger.h"
#include "tlm/power/level_times.h"

#include <vector>

namespace sare {

/// Use of a router's power gate in the measured window.
struct power_gate_use {
    double off = 0, wakings = 0;  ///< network cycles for which the router was off; number of wakings
};

/// Everything that the energy of a run is computed from: references that must outlive find_energy().
struct energy_question {
    const network_design& design;  ///< costs of all blocks
    const network_activity& did;   ///< events of all blocks
    const run_result& out;         ///< figures of the run
    double hertz = 0;              ///< frequency of the network's clock by the section `power`, in Hz
    const gating_params& gating;   ///< costs of routers that go off
    /// Network cycles off in the window, and wakings, by router; empty: no router can go off.
    const std::vector<power_gate_use>& gates;
    /// Network cycles asleep in the window, by row of run_result::link_loads; empty: no link sleeps.
    const std::vector<double>& asleep;
    const level_times& times;  ///< levels of all blocks
};

/// Returns the energies of the measured window: events times their costs, clock cycles times clock energy,
/// time times leakage.
energy_ledger find_energy(const energy_question& q);

}  // namespace sare
