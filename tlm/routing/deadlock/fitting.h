// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class topology;

/// Returns the routing functions that can be made for a network with their default parameters and that the
/// check for deadlock does not refuse, but for those that fork packets: "dor, valiant". Returns "" for a
/// network of more than 512 routers, since trying them all would take too long.
std::string fitting_functions(const topology& map);
/// True if a routing function, given by its name, can be made for a network with its default parameters and
/// enough VCs.
bool fits(const std::string& function, const topology& map);

}  // namespace sare
