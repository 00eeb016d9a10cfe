// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

namespace sare {

/// Flits that a node can inject and consume in a cycle, for router kinds with the queues of their nodes
/// inside, so that no link limits them. A router_model of such a kind derives from this class; for all others
/// both numbers are 1.
class node_rates {
  public:
    virtual ~node_rates() = default;
    /// Most flits that a node of router `r` of the network `map` injects in a cycle.
    virtual std::uint32_t most_injected(const topology& map, router_id r) const = 0;
    /// Most flits that a node of router `r` of the network `map` consumes in a cycle.
    virtual std::uint32_t most_ejected(const topology& map, router_id r) const = 0;
};

}  // namespace sare
