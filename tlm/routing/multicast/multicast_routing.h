// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/multicast/multicast.h"
#include "tlm/routing/routing.h"

namespace sare {

/// Base class of routing functions with targets for each source (groups()), for routers that copy packets. A
/// packet whose destination is its source goes to all targets of that source, if there are any; all other
/// packets go to one node.
class multicast_routing : public routing_function {
  public:
    /// Returns the output port of router `r` for a packet to the one node `destination`; a port to that node
    /// at its own router.
    virtual std::uint32_t unicast_port(std::uint32_t r, std::uint32_t destination) const = 0;
    /// True if a packet goes to all targets of its source; false if that source has no targets.
    bool to_all(const route_header& h) const {
        return h.source == h.destination && groups()->is_source(h.source);
    }
};

/// Base class of routing functions by which a VC router forks packets along trees.
class forking_routing : public routing_function {
  public:
    /// Value of route_header::phase in a packet to all targets of its source; its destination is its source.
    static constexpr std::uint8_t to_all = 0xff;
    /// Returns the function for packets to one node, along whose routes the trees were made.
    virtual const routing_function& along() const = 0;
};

}  // namespace sare
