// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/fabric.h"

namespace sare {

/// What looks on at a fabric, where anything does: see fabric_view.cpp.
struct fabric::watch {
    /// The reading end of a link.
    struct view {
        const clock_domain* where;
        wire at;
        end from, to;
    };
    std::vector<view> links;
    std::vector<flit_observer*> flits;
    std::vector<cycle_observer*> cycles;
    cycle_t next;  ///< the first cycle that cycle_observers have not been told of
};

}  // namespace sare
