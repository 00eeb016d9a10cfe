// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace sare {

class router_model;
class topology;

/// Returns the mean cycles of a head flit through an empty network, from NIC to NIC on a shortest path: over
/// all pairs of nodes, or in large networks over some, evenly spread. `nic_delay`: delay of the first NIC.
double mean_head_latency(const topology& map, const std::function<const router_model&(std::uint32_t)>& model,
                         std::uint32_t nic_delay);

}  // namespace sare
