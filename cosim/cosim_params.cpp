// SPDX-License-Identifier: Apache-2.0
#include "cosim/cosim_params.h"

#include "tlm/api/section_registry.h"

namespace sare::cosim {
namespace {

const section_registration<cosim_params> cosim_section{"cosim", 40, "Routers in RTL."};

}  // namespace

config::schema<cosim_params> cosim_params::fields() {
    using p = cosim_params;
    config::schema<p> s;
    s.numbers("replace", &p::replace, "Routers that are RTL: all, numbers, ranges such as 0-3.")
        .of_places("router")
        .numbers("shadow", &p::shadow,
                 "Routers with RTL beside the model, compared pin for pin; the model carries the traffic.")
        .of_places("router")
        .numbers("nics", &p::nics, "Nodes whose network interface is RTL.")
        .of_places("node")
        .numbers("shadow_nics", &p::shadow_nics,
                 "Nodes whose network interface has RTL beside it, compared pin for pin.")
        .of_places("node")
        .text("rtl", &p::rtl, "Which RTL: sare_router, or the library (.so) of a router of your own.")
        .include(hardware_params::fields());
    return s;
}

}  // namespace sare::cosim
