// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/failures.h"
#include "tlm/network/experiment.h"
#include "tlm/routing/deadlock/deadlock.h"

namespace sare {

class routing_function;
class topology;

/// Returns the section `failures` as the fabric takes it: what fails when, and the routing afterwards. `vcs`:
/// per port and message class; 0: routers do not use the routing function. Throws config::error for what does
/// not exist, and for a routing function that cannot route around it.
failure_schedule make_failures(const experiment& e, const topology& map, const routing_function& routing,
                               std::uint32_t vcs);

/// Makes the static check of the routes after each failure, like `question` for those before. Returns the
/// first report that does not pass, or the last.
deadlock_report check_after_failures(const failure_schedule& all, const deadlock_question& question);

/// True if a link has bit errors.
bool has_bit_errors(const topology& map);

}  // namespace sare
