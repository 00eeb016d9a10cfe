// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sare {

class network_view;

/// What kinds of routers count of their own (own_counts), of all routers since the start; nothing where none
/// of the kinds does.
std::vector<std::pair<std::string, double>> router_counts(const network_view& net);

}  // namespace sare
