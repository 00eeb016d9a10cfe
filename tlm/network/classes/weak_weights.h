// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

struct experiment;
class class_vcs;

/// Returns a warning if arbiters weigh message classes that have too few VCs to ask in every cycle; else "".
std::string warning_of_weights(const experiment& e, const class_vcs& shares);

}  // namespace sare
