// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class topology;

/// The routing functions that a network can have, with their defaults, without deadlock: "dor, valiant"; ""
/// for a network too large to try them all.
std::string fitting_functions(const topology& map);
/// Whether a function is for such networks, given enough VCs.
bool fits(const std::string& function, const topology& map);

}  // namespace sare
