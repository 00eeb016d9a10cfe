// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"
#include "tlm/topology/topology.h"

/// What the result files say of a network's picture.
namespace sare {

/// Sets name and sizes.
void report_size(const topology& map, run_result& out);

/// Sets the positions of all routers, and how the links of `out` are drawn.
void report_positions(const topology& map, run_result& out);

/// The result of no run: name, sizes, links without load, and the above.
run_result picture_of(const topology& map);

}  // namespace sare
