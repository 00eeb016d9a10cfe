// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/failures.h"
#include "tlm/network/experiment.h"
#include "tlm/routing/deadlock/deadlock.h"

namespace sare {

class routing_function;
class topology;

/// Returns the section `failures` of `e` in the form for the fabric. It has links and routers with the cycles
/// in which they fail, and a function that makes the routing function after a failure. `routing`: routing
/// function before the first failure. `vcs`: VCs of a message class at a port; 0: routers do not use routing
/// functions, so that none is made after a failure. Throws config::error for routers and links that do not
/// exist, and for a routing function that cannot route around failures.
failure_schedule make_failures(const experiment& e, const topology& map, const routing_function& routing,
                               std::uint32_t vcs);

/// Makes the static check of the routes after the failures of each cycle. `all` must have make_routing;
/// `question`: the check of the routes before the first failure. Returns the first report that does not pass;
/// else the last report, or one with verdict `skipped` if nothing fails.
deadlock_report check_after_failures(const failure_schedule& all, const deadlock_question& question);

/// True if some link of the map, links from and to nodes included, has bit errors.
bool has_bit_errors(const topology& map);

}  // namespace sare
