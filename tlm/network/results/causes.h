// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <string_view>

namespace sare {

/// What is said of a reason, and what would help.
struct congestion_cause {
    congestion_root::reason why;
    const char* kind;       ///< of the root's link: router, injection or ejection; "": any
    const char* sentence;   ///< goes on from "packets wait for it while it carries nothing: "
    const char* parameter;  ///< path in an experiment
    const char* change;     ///< of that parameter
};

/// The row of a reason at a link of that kind.
const congestion_cause& cause_of(congestion_root::reason why, std::string_view kind);

}  // namespace sare
