// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <string>
#include <string_view>

namespace sare {

/// The text for a reason of congestion, and the parameter that would help.
struct congestion_cause {
    congestion_root::reason why;
    const char* kind;       ///< kind of the root's link: "router", "injection" or "ejection"; "": any kind
    const char* sentence;   ///< continues "packets wait for it while it carries nothing: "
    const char* parameter;  ///< path of a parameter in an experiment, such as router.vcs
    const char* change;     ///< noun phrase for the change of that parameter that would help
};

/// Returns the text for reason `why` at a link of kind `kind`: "router", "injection" or "ejection".
const congestion_cause& cause_of(congestion_root::reason why, std::string_view kind);
/// Returns the path of the parameter that would help, in `domains` with the name of the domain.
std::string parameter_for(const congestion_root& root, std::string_view kind);

}  // namespace sare
