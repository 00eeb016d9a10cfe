// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <algorithm>

namespace sare::traffic {

/// Returns the whole cycles, at most 2^62, in `seconds` plus `fraction` of a cycle, rounded down.
/// `cycle_seconds`: seconds of a cycle. Not checked: `seconds` is at least 0, `cycle_seconds` above 0.
/// `fraction`: part of a cycle, 0 to 1, that an earlier call left over; set to the part that is left over
/// now. The overload without `fraction` drops that part.
inline cycle_t whole_cycles(double seconds, double cycle_seconds, double& fraction) {
    constexpr double longest = 4611686018427387904.0;  // 2^62: a number still when the present is added
    const double exact = std::min(seconds / cycle_seconds + fraction, longest);
    const auto whole = static_cast<cycle_t>(exact + 1e-6);  // 1e-6 / 1e-9 is 999.9999...
    fraction = std::max(0.0, exact - static_cast<double>(whole));
    return whole;
}
inline cycle_t whole_cycles(double seconds, double cycle_seconds) {
    double fraction = 0;
    return whole_cycles(seconds, cycle_seconds, fraction);
}

}  // namespace sare::traffic
