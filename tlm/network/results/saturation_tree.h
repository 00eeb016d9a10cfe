// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <string>

namespace sare {

class routing_function;
class wait_samples;

constexpr const char* congestion_file = "congestion.csv";  ///< name of the file for congestion_table()

/// Sets run_result::link_waits: for each link, the mean numbers of packets that waited for a VC, for credits
/// and for their turn. The links of `out` must be filled in already. Sets nothing if no cycle was sampled.
void report_waits(const wait_samples& samples, run_result& out);

/// Finds where congestion begins: the tree of saturation of each root (docs/congestion.md), with the link
/// figures of `out`. Call after report_waits(). `routing`: routing function; null: routers route by
/// themselves. `best_allocator`: true if no other switch allocator would choose more flits.
void find_congestion(const wait_samples& samples, const routing_function* routing, bool best_allocator,
                     run_result& out);

/// Describes the message classes whose messages pile up, and the worst root, in a sentence without its full
/// stop; "" if there are neither.
std::string describe_congestion(const run_result& out);

/// Returns all links of all trees as CSV, a row for each link and tree; "" if there is no tree.
std::string congestion_table(const run_result& out);

}  // namespace sare
