// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sare {

class network_view;

/// Returns names and values of the counters that router kinds keep in addition to the common ones
/// (own_counts): sums over all routers of the kind since the start. Empty if no kind has such counters. With
/// several processes all must call; only rank 0 gets the sums of all.
std::vector<std::pair<std::string, double>> router_counts(const network_view& net);

}  // namespace sare
