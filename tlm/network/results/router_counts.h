// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sare {

class network_view;

/// Returns the counts of router kinds that count something of their own (own_counts), over all routers since
/// the start; empty if no kind does.
std::vector<std::pair<std::string, double>> router_counts(const network_view& net);

}  // namespace sare
