// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/hardware_params.h"
#include "tlm/api/section_part.h"

#include <string>

namespace sare::cosim {

/// The section `cosim` of an experiment: which routers and NICs are in RTL, and how.
struct cosim_params : section_part_of<cosim_params>, hardware_params {
    config::number_set replace;       ///< routers that are RTL
    config::number_set shadow;        ///< routers with RTL beside the model, compared pin by pin
    config::number_set nics;          ///< nodes whose NIC is RTL
    config::number_set shadow_nics;   ///< nodes whose NIC has RTL beside the model, compared pin by pin
    std::string rtl = "sare_router";  ///< "sare_router", or the library (.so) of another router

    /// True if no block is in RTL.
    bool empty() const { return replace.empty() && shadow.empty() && nics.empty() && shadow_nics.empty(); }
    static config::schema<cosim_params> fields();

    std::string needs_routers() const override { return empty() ? "" : "'cosim' names blocks in RTL"; }
    config::number_set foreign_routers() const override { return replace; }
};

}  // namespace sare::cosim
