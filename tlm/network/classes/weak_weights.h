// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

struct experiment;
class class_vcs;

/// Returns a warning of one line if an arbiter `weighted` weighs message classes, and some class has too few
/// VCs to make a request in every cycle. Too few are no more VCs than the cycles for which a VC pauses
/// between packets (va_delay and, without lookahead, rc_delay). Returns "" otherwise, and for routers of
/// another kind than vc.
std::string warning_of_weights(const experiment& e, const class_vcs& shares);

}  // namespace sare
