// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

namespace sare {

class network_view;
class world;

/// Adds to the matrix of `out` what waits in the source queues of the NICs, by pair: of a pair that got
/// nothing, too. `processes`: that run the network together; rank 0 gets it all. Null: there is one.
void report_waiting_pairs(const network_view& net, world* processes, run_result& out);

}  // namespace sare
