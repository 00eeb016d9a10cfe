// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/displacement_routing.h"
#include "tlm/topology/grid/twisted_torus.h"
#include "tlm/topology/link_parameters.h"

namespace sare::variants::twisted_minimal {
namespace {

routing_function* make(const displacement_parameters& p, const config::value& section,
                       const routing_context& context) {
    const topology& net = *context.network;
    const auto* shape = dynamic_cast<const twisted_shape*>(net.shape());
    if (shape == nullptr)
        throw config::error(
            place(section, "function"),
            "'function' is twisted_minimal, which needs a twisted_torus, not a " + net.name());
    if (!shape->commutes())
        throw config::error(place(section, "function"),
                            "'function' is twisted_minimal, which needs a twist along dimensions that are "
                            "not twisted themselves: there the order of hops matters; up_down works");
    std::vector<coordinate_twist> twists;
    for (std::uint32_t d = 0; d < shape->dims.size(); ++d)
        for (std::uint32_t e = 0; e < shape->dims.size(); ++e)
            if (shape->twist[d][e] != 0) twists.push_back({d, e, shape->twist[d][e]});
    return new displacement_routing("twisted_minimal", *shape, std::move(twists), p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "twisted_minimal", "Shortest ways on a twisted torus, in the order of the dimensions.",
    displacement_fields(), make};

}  // namespace
}  // namespace sare::variants::twisted_minimal
