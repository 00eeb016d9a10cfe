// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/turn_model.h"

namespace sare::variants::north_last {
namespace {

/// In two dimensions north is the + direction of dimension 1. In more this is the model that has all -
/// directions and one + direction first (Glass and Ni, 1992, all-but-one-positive-last).
routing_function* make(const config::no_parameters&, const config::value& section,
                       const routing_context& context) {
    return new turn_model("north_last", all_negative | 1, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "north_last", "Turn model on a mesh: hops in + directions of dimensions above 0 last, minimal adaptive.",
    make};

}  // namespace
}  // namespace sare::variants::north_last
