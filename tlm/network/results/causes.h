// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <string_view>

namespace sare {

/// The text for a reason of congestion, and what would help.
struct congestion_cause {
    congestion_root::reason why;
    const char* kind;       ///< kind of the root's link: router, injection or ejection; "": any
    const char* sentence;   ///< continues "packets wait for it while it carries nothing: "
    const char* parameter;  ///< path of a parameter in an experiment
    const char* change;     ///< change of that parameter that would help
};

/// Returns the row for a reason at a link of a kind.
const congestion_cause& cause_of(congestion_root::reason why, std::string_view kind);

}  // namespace sare
