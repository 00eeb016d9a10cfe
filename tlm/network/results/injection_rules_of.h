// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/journey/injection_rules.h"

#include <string>

namespace sare {

class router_plan;
class topology;
struct experiment;

/// Returns what a journey_book has to know of a network. `map` and `plan`: those of the experiment, which
/// must outlive the rules. Buffers are known where VCs share no places and do not pause, and neither domains,
/// sleeping links nor unequal clocks let a NIC wait.
injection_rules injection_rules_of(const experiment& e, const topology& map, const router_plan& plan);

/// Returns the settings by which a NIC can hold packets back ("nic.rate or nic.window"); "" if there are
/// none.
std::string nic_limits(const experiment& e);

}  // namespace sare
