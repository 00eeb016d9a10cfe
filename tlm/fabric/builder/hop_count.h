// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

class network_state;

/// Routers from each place of the route table to each destination, by the network's map; empty where the ways
/// differ in length. Routers that the model does not run are left out: they count for themselves, or not at
/// all.
std::vector<std::uint16_t> count_hops(const network_state& net);

/// Fills network_state::hops and gives it to the NICs: heads carry keys of the route table, and routers do
/// not count.
void fill_hops(network_state& net);

}  // namespace sare
