// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

struct experiment;
class topology;

/// The routing functions that a network can have, with their defaults, without deadlock: "dor, valiant"; ""
/// for a network too large to try them all.
std::string fitting_functions(const topology& map);
/// Whether the function that an experiment names is one for such networks, whatever else is wrong with it.
bool fits_network(const experiment& e, const topology& map);

}  // namespace sare
