// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class topology;

/// Returns the names of routing functions for a network, as "dor, valiant". They can be made for it with 8
/// VCs and default parameters, pass the check for deadlock (deadlock_report::ok(), with
/// deadlock_question::atomic_or_cut_through), and do not fork packets. Returns "" if there are none, and for
/// a network of more than 512 routers, since trying them all would take too long.
std::string fitting_functions(const topology& map);
/// True if a routing function, given by its name, can be made for a network with its default parameters and 8
/// VCs.
bool fits(const std::string& function, const topology& map);

}  // namespace sare
