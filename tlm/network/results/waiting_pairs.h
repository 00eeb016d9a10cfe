// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

namespace sare {

class network_view;
class world;

/// Adds to the matrix of `out` the flits that wait in the source queues of the NICs, by pair, pairs without
/// arrivals included. `processes`: processes that run the network together, of which rank 0 gets all; null:
/// one process.
void report_waiting_pairs(const network_view& net, world* processes, run_result& out);

}  // namespace sare
