// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

class network_state;

/// Returns the number of routers that a packet visits from each place of the route table (an input of a
/// router) to each column of it (a destination and routing state), as [place * columns + column]; see
/// route_table. Foreign routers are not counted. Empty if the candidates of a head at any router lead over
/// different numbers of routers. Needs a map and a route table.
std::vector<std::uint16_t> count_hops(const network_state& net);

/// Fills network_state::hops by count_hops() and gives it to the NICs, which then set the hops of each packet
/// at its source: routers do not touch packets whose heads carry keys of the route table. Needs a map.
void fill_hops(network_state& net);

}  // namespace sare
