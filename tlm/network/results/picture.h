// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"
#include "tlm/topology/topology.h"

/// Values for the picture of a network in the result files.
namespace sare {

/// Sets name and sizes of the network.
void report_size(const topology& map, run_result& out);

/// Sets the positions of all routers, and the shapes of the links in `out`.
void report_positions(const topology& map, run_result& out);

/// Returns a result without a run, for a drawing of a network: name and sizes of the topology, positions of
/// routers, and links without load.
run_result picture_of(const topology& map);

}  // namespace sare
