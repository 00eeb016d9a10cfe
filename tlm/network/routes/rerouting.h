// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/failures.h"
#include "tlm/network/experiment.h"
#include "tlm/routing/deadlock/deadlock.h"

namespace sare {

class routing_function;
class topology;

/// The section `failures` as the fabric takes it: what fails when, and what routing becomes then. `vcs`: per
/// port and message class; 0: routers do not ask it. Throws config::error for what is not there, and for a
/// routing function that cannot go round.
failure_schedule make_failures(const experiment& e, const topology& map, const routing_function& routing,
                               std::uint32_t vcs);

/// The static check of the routes after each failure, as `question` has it of those before; the first one
/// that does not pass, or the last.
deadlock_report check_after_failures(const failure_schedule& all, const deadlock_question& question);

/// Some link has bit errors.
bool has_bit_errors(const topology& map);

}  // namespace sare
