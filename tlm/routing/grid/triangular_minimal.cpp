// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/displacement_routing.h"

namespace sare::variants::triangular_minimal {
namespace {

routing_function* make(const displacement_parameters& p, const config::value& section,
                       const routing_context& context) {
    return make_step_routing("triangular_minimal", 2, "a triangular_torus", p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "triangular_minimal",
    "Shortest ways on a triangular torus: hops east or west first, then along the diagonal, then north or "
    "south.",
    displacement_fields(), make};

}  // namespace
}  // namespace sare::variants::triangular_minimal
