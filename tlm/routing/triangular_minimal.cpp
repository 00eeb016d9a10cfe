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
    if (shape == nullptr || shape->dims.size() != 2)
        throw config::error(
            place(section, "function"),
            "'function' is triangular_minimal, which needs a triangular_torus, not a " + net.name());
    return new displacement_routing("triangular_minimal", *shape, {}, p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "triangular_minimal",
    "Shortest ways on a triangular torus: hops east or west first, then along the diagonal, then north or "
    "south.",
    displacement_fields(), make};

}  // namespace
}  // namespace sare
