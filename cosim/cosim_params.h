// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/hardware_params.h"
#include "tlm/api/section_part.h"

#include <string>
#include <vector>

namespace sare::cosim {

/// The section `cosim` of an experiment: which routers and NICs are RTL, and the parameters of the RTL that
/// the model does not have.
struct cosim_params : section_part_of<cosim_params>, hardware_params {
    config::number_set replace;  ///< numbers of the routers that are RTL instead of the model
    config::number_set shadow;   ///< numbers of the routers whose RTL runs beside the model and is compared
                                 ///< with it pin by pin
    config::number_set nics;     ///< numbers of the nodes whose NIC is RTL instead of the model
    config::number_set shadow_nics;  ///< numbers of the nodes whose NIC's RTL runs beside the model and is
                                     ///< compared with it pin by pin
    /// RTL of the routers: "sare_router" for Sare's own, or the path of the library (.so) of another router;
    /// or a map from numbers and ranges of routers to these, for several kinds in one network.
    config::value rtl = config::value::scalar(own_router);
    /// Word in `rtl` for Sare's own router, rtl/sare_router.sv.
    static constexpr const char* own_router = "sare_router";

    /// Returns the RTL of the router with number `router`: own_router, or the path of a library as `rtl` has
    /// it (absolute, or relative to the experiment's folder). own_router if the map does not name the router.
    std::string rtl_of(std::uint32_t router) const;
    /// Returns the texts that `rtl` has, own_router or paths, in the order of the map; one may come twice. An
    /// empty map gives none.
    std::vector<std::string> kinds() const;
    /// Throws config::error if `rtl` is a list, has a value that is no text, or names a router twice.
    /// `section` is not used.
    void check(const config::value* section) override;

    /// Returns true if `replace`, `shadow`, `nics` and `shadow_nics` name no router and no NIC.
    bool empty() const { return replace.empty() && shadow.empty() && nics.empty() && shadow_nics.empty(); }
    /// Returns the schema of the section.
    static config::schema<cosim_params> fields();

    std::string needs_routers() const override { return empty() ? "" : "'cosim' names blocks in RTL"; }
    config::number_set foreign_routers() const override { return replace; }
};

}  // namespace sare::cosim
