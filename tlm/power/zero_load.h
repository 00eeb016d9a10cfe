// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace sare {

class router_model;
class topology;

/// Cycles of a head flit through an empty network, from its NIC to that of another node, on a shortest path:
/// the mean over pairs of nodes; of large networks over some, evenly spread. `nic_delay`: of the first NIC.
double mean_head_latency(const topology& map, const std::function<const router_model&(std::uint32_t)>& model,
                         std::uint32_t nic_delay);

}  // namespace sare
