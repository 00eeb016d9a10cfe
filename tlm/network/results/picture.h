// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"
#include "tlm/topology/topology.h"

/// Values for the picture of a network in the result files.
namespace sare {

/// Sets in `out` the name of the topology, the names of its places, its dimensions if it is a grid, and its
/// numbers of nodes, routers, links and channels.
void report_size(const topology& map, run_result& out);

/// Sets in `out` the drawing of the network, if the topology has one, and the list of routers, whose
/// positions are figures of that drawing.
void report_positions(const topology& map, run_result& out);

/// Returns a result without a run, to draw a network from: name and sizes of the topology, positions of
/// routers, and links without load.
run_result picture_of(const topology& map);

}  // namespace sare
