// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

namespace sare {

/// Interface of router kinds that own their nodes (router_terms::owns_nodes), so that no link limits the
/// flits that a node injects and consumes in a cycle. A router_model of such a kind may derive from this
/// class; for all other kinds both numbers are 1.
class node_rates {
  public:
    virtual ~node_rates() = default;
    /// Most flits that a node of router `r` of the network `map` injects in a cycle.
    virtual std::uint32_t most_injected(const topology& map, router_id r) const = 0;
    /// Most flits that a node of router `r` of the network `map` consumes in a cycle.
    virtual std::uint32_t most_ejected(const topology& map, router_id r) const = 0;
};

}  // namespace sare
