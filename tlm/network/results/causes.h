// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

#include <string>
#include <string_view>

namespace sare {

/// Text for a reason of congestion, and the parameter whose change would reduce it.
struct congestion_cause {
    congestion_root::reason why;  ///< reason that the text is for
    const char* kind;       ///< kind of the root's link: "router", "injection" or "ejection"; "": any kind
    const char* sentence;   ///< continues "packets wait for it while it carries nothing: "
    const char* parameter;  ///< path of a parameter in an experiment, such as router.vcs
    const char* change;     ///< noun phrase for the change of that parameter that would help
};

/// Returns the text for reason `why` at a link of kind `kind`: "router", "injection" or "ejection".
const congestion_cause& cause_of(congestion_root::reason why, std::string_view kind);
/// Returns congestion_cause::parameter for a root at a link of kind `kind`; for reason::clock the path goes
/// on with the name of the domain: "domains.cpu".
std::string parameter_for(const congestion_root& root, std::string_view kind);

}  // namespace sare
