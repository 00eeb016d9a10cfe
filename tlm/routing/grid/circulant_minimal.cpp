// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/displacement_routing.h"

namespace sare::variants::circulant_minimal {
namespace {

routing_function* make(const displacement_parameters& p, const config::value& section,
                       const routing_context& context) {
    return make_step_routing("circulant_minimal", 1, "a circulant or midimew", p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "circulant_minimal", "Shortest ways on a circulant or midimew, in the order of the steps.",
    displacement_fields(), make};

}  // namespace
}  // namespace sare::variants::circulant_minimal
