// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/displacement_routing.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/step_network.h"

namespace sare {
namespace {

routing_function* make(const displacement_parameters& p, const config::value& section,
                       const routing_context& context) {
    const topology& net = *context.network;
    const auto* shape = dynamic_cast<const step_shape*>(net.shape());
    if (shape == nullptr || shape->dims.size() != 1)
        throw config::error(
            place(section, "function"),
            "'function' is circulant_minimal, which needs a circulant or midimew, not a " + net.name());
    return new displacement_routing("circulant_minimal", *shape, {}, p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "circulant_minimal", "Shortest ways on a circulant or midimew, in the order of the steps.",
    displacement_fields(), make};

}  // namespace
}  // namespace sare
