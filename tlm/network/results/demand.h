// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <vector>

namespace sare {

class routing_function;
class wait_samples;

/// Returns the flits per cycle that sources have offered to each link in the measured window, indexed by link
/// number of `numbers`; NaN: unknown for that link. The flits that a source was offered are divided among its
/// destinations like those that it injected. Links between routers are known only if one route leads from
/// each source to each destination (`routing` null: unknown). Returns an empty list if flits were not counted
/// by pair.
std::vector<double> offered_to_links(const run_result& out, const topology& map,
                                     const routing_function* routing, const wait_samples& numbers);

}  // namespace sare
