// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <vector>

namespace sare {

class routing_function;
class wait_samples;

/// Returns the flits a cycle that sources have offered to each link, by the link number of wait_samples; NaN
/// if unknown. A source's offered flits are shared among its pairs like its injected flits. Links between
/// routers are known only if one route leads from each source to each destination (`routing` null: unknown).
/// Empty if pairs were not counted.
std::vector<double> offered_to_links(const run_result& out, const topology& map,
                                     const routing_function* routing, const wait_samples& numbers);

}  // namespace sare
