// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/turn_model.h"

#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

namespace sare::variants::west_first {
namespace {

routing_function* make(const config::no_parameters&, const config::value& section,
                       const routing_context& context) {
    const grid_shape* grid = context.network->grid();
    if (grid != nullptr && grid->dims.size() != 2)
        throw config::error(
            place(section, "function"),
            fmt::format("'function' is west_first, which needs 2 dimensions; the network has {}",
                        grid->dims.size()));
    return new turn_model("west_first", 2, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "west_first",
    "Turn model on a mesh of two dimensions: - hops in dimension 0 first, then minimal adaptive.", make};

}  // namespace
}  // namespace sare::variants::west_first
