// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

class network_state;

/// Returns the number of routers that a packet visits from a place to its destination, the router of the
/// place included, as [place * columns + column]. A place is a router, or an input port of a router; a column
/// is a destination and routing state (see route_table). Foreign routers are not counted. Empty if the
/// candidates of a head at any router lead over different numbers of routers. Needs a map and a route table
/// (not checked).
std::vector<std::uint16_t> count_hops(const network_state& net);

/// Fills network_state::hops by count_hops() and gives it to the NICs, which then set the hops of each packet
/// at its source: routers do not touch packets whose heads carry keys of the route table. Needs a map and a
/// keyed route table (not checked). Call once.
void fill_hops(network_state& net);

}  // namespace sare
