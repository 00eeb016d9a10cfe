// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace sare {

class router_model;
class topology;

/// Returns the mean number of network cycles of a head flit through an empty network, from NIC to NIC on a
/// shortest path: over all pairs of different nodes, or with more than 512 nodes over some pairs, evenly
/// spread; 0: there is no pair. `nic_delay`: cycles in the first NIC.
double mean_head_latency(const topology& map, const std::function<const router_model&(std::uint32_t)>& model,
                         std::uint32_t nic_delay);

}  // namespace sare
