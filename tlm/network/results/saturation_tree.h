// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <string>

namespace sare {

class routing_function;
class wait_samples;

constexpr const char* congestion_file = "congestion.csv";

/// Sets run_result::link_waits: mean number of packets that waited for each link. The links and nodes of
/// `out` must be filled in already.
void report_waits(const wait_samples& samples, run_result& out);

/// Finds where congestion begins: the tree of saturation of each root (docs/congestion.md), with the link
/// figures of `out`. `routing`: null if routers route by themselves. `best_allocator`: no other switch
/// allocator would choose more flits.
void find_congestion(const wait_samples& samples, const topology& map, const routing_function* routing,
                     bool best_allocator, run_result& out);

/// Describes the worst root, and the message classes whose messages pile up, in a sentence without its full
/// stop; "" if there is no root.
std::string describe_congestion(const run_result& out);

/// Returns all links of all trees as CSV; "" if there are none.
std::string congestion_table(const run_result& out);

}  // namespace sare
