// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

struct experiment;
class class_vcs;

/// Returns a warning of one line if an arbiter `weighted` weighs message classes, and some class has no more
/// VCs than the cycles (rc_delay + va_delay) for which a VC pauses between packets, so that the class cannot
/// ask in every cycle. Returns "" otherwise, and for routers of another kind than vc.
std::string warning_of_weights(const experiment& e, const class_vcs& shares);

}  // namespace sare
