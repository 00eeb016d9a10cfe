// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sare {

class network_view;

/// Returns names and values of the counters of router kinds that have some of their own (own_counts), summed
/// over all routers of the kind since the start; empty if no kind has any. With several processes all must
/// call; only rank 0 gets the sums of all.
std::vector<std::pair<std::string, double>> router_counts(const network_view& net);

}  // namespace sare
