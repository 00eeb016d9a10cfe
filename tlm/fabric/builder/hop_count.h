// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

class network_state;

/// Returns the number of routers on the route from each place of the route table to each column, as [place *
/// columns + column] (see route_table). Foreign routers are not counted: they count hops themselves or not at
/// all. Empty if the candidates of a head at some router lead over different numbers of routers.
std::vector<std::uint16_t> count_hops(const network_state& net);

/// Fills network_state::hops and hands it to the NICs, which then count the hops of packets, as routers do
/// not touch packets whose heads carry keys of the route table.
void fill_hops(network_state& net);

}  // namespace sare
