// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class topology;

/// Lists the routing functions that fit a network with their default parameters and are free of deadlock:
/// "dor, valiant". "" for a network of more than 512 routers, as trying them all would take too long.
std::string fitting_functions(const topology& map);
/// Returns true if a routing function can be made for a network, given enough VCs.
bool fits(const std::string& function, const topology& map);

}  // namespace sare
