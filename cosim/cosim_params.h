// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/hardware_params.h"
#include "tlm/api/section_part.h"

#include <string>

namespace sare::cosim {

/// The section `cosim` of an experiment: which routers and NICs are in RTL, and how.
struct cosim_params : section_part_of<cosim_params>, hardware_params {
    config::number_set replace;
    config::number_set shadow;
    config::number_set nics;
    config::number_set shadow_nics;
    std::string rtl = "sare_router";

    bool empty() const { return replace.empty() && shadow.empty() && nics.empty() && shadow_nics.empty(); }
    static config::schema<cosim_params> fields();

    std::string needs_routers() const override { return empty() ? "" : "'cosim' names blocks in RTL"; }
    config::number_set foreign_routers() const override { return replace; }
};

}  // namespace sare::cosim
