// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock_ratio.h"

#include <string>

namespace sare {

/// Routers and NICs with a clock and a supply of their own: a key of the section `domains`.
struct clock_region {
    std::string name;
    clock_ratio clock;   ///< its clock, by that of the network
    double voltage = 0;  ///< supply voltage in V; 0: that of the network
};

}  // namespace sare
