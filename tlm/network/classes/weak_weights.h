// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

struct experiment;
class class_vcs;

/// Where arbiters weigh message classes that have too few VCs to ask in every cycle, what comes of it, in
/// words; else "".
std::string warning_of_weights(const experiment& e, const class_vcs& shares);

}  // namespace sare
