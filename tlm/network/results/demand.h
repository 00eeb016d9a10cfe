// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <vector>

namespace sare {

class routing_function;
class wait_samples;

/// What sources have offered to each link, flits a cycle, by the number that wait_samples gives it; NaN where
/// it is not known: a source's flits are offered to its pairs as those that it has injected, and to links
/// between routers where one way leads from each source to each destination (`routing` null: nowhere). Empty
/// where pairs were not counted.
std::vector<double> offered_to_links(const run_result& out, const topology& map,
                                     const routing_function* routing, const wait_samples& numbers);

}  // namespace sare
