// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

namespace sare {

class network_view;
class world;

/// Adds to the matrix of `out` the flits that wait in the source queues of the NICs, by pair of source and
/// destination; pairs without arrivals get a row, too. `processes`: processes that run the network together,
/// which must all call, and of which rank 0 gets the pairs of all; null: one process.
void report_waiting_pairs(const network_view& net, world* processes, run_result& out);

}  // namespace sare
