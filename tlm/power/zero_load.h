// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace sare {

class router_model;
class topology;

/// Returns the mean latency of a head flit through an empty network, from NIC to NIC on a shortest path, in
/// network cycles. Each router on the path counts as the mean of all routers. The mean is over all pairs of
/// different nodes, or above 512 nodes over pairs spread evenly; 0: there is no pair. `model`: returns the
/// model of a router, by number; `nic_delay`: network cycles in the first NIC.
double mean_head_latency(const topology& map, const std::function<const router_model&(std::uint32_t)>& model,
                         std::uint32_t nic_delay);

}  // namespace sare
