// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/hardware_params.h"
#include "tlm/api/section_part.h"

#include <string>

namespace sare::cosim {

/// The section `cosim` of an experiment: which routers and NICs are RTL, and the parameters of the RTL that
/// the model does not have.
struct cosim_params : section_part_of<cosim_params>, hardware_params {
    config::number_set replace;  ///< numbers of the routers that are RTL instead of the model
    config::number_set shadow;   ///< numbers of the routers whose RTL runs beside the model and is compared
                                 ///< with it pin by pin
    config::number_set nics;     ///< numbers of the nodes whose NIC is RTL instead of the model
    config::number_set shadow_nics;   ///< numbers of the nodes whose NIC's RTL runs beside the model and is
                                      ///< compared with it pin by pin
    std::string rtl = "sare_router";  ///< RTL of the routers: "sare_router" for Sare's own, or the path of
                                      ///< the library (.so) of another router

    /// Returns true if no router and no NIC is named.
    bool empty() const { return replace.empty() && shadow.empty() && nics.empty() && shadow_nics.empty(); }
    /// Returns the schema of the section.
    static config::schema<cosim_params> fields();

    std::string needs_routers() const override { return empty() ? "" : "'cosim' names blocks in RTL"; }
    config::number_set foreign_routers() const override { return replace; }
};

}  // namespace sare::cosim
