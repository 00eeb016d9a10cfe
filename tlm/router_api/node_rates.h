// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

namespace sare {

/// What a node can do in a cycle where its queues are inside the router, so that there is no link: a
/// router_model of such a kind is one of these, too. Others inject a flit and take one.
class node_rates {
  public:
    virtual ~node_rates() = default;
    /// Flits that a node of that router injects in a cycle at the most, and takes.
    virtual std::uint32_t most_injected(const topology& map, router_id r) const = 0;
    virtual std::uint32_t most_ejected(const topology& map, router_id r) const = 0;
};

}  // namespace sare
