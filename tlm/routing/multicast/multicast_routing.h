// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/multicast/multicast.h"
#include "tlm/routing/routing.h"

namespace sare {

/// A routing function with targets for each source, as routers ask it that copy packets. A packet whose
/// destination is its source is for all targets of that source, if it has any; others are for one node.
class multicast_routing : public routing_function {
  public:
    /// The port towards a node.
    virtual std::uint32_t unicast_port(std::uint32_t r, std::uint32_t destination) const = 0;
    bool to_all(const route_header& h) const {
        return h.source == h.destination && groups()->is_source(h.source);
    }
};

}  // namespace sare
