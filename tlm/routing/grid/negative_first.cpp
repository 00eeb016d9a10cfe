// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/turn_model.h"

namespace sare::variants::negative_first {
namespace {

/// On a hypercube this is p-cube routing.
routing_function* make(const config::no_parameters&, const config::value& section,
                       const routing_context& context) {
    return new turn_model("negative_first", all_negative, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "negative_first",
    "Turn model on a mesh: hops in - directions first, then those in + directions, each minimal adaptive.",
    make};

}  // namespace
}  // namespace sare::variants::negative_first
