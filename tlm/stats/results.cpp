// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

namespace sare {

const char* to_string(run_status s) {
    switch (s) {
        case run_status::completed:
            return "completed";
        case run_status::saturated:
            return "saturated";
        case run_status::deadlock:
            return "deadlock";
        case run_status::stuck:
            return "stuck";
        case run_status::cycle_limit:
            return "cycle_limit";
        case run_status::failed:
            return "failed";
        case run_status::interrupted:
            return "interrupted";
        case run_status::unsettled:
            return "unsettled";
    }
    return "?";
}

}  // namespace sare
