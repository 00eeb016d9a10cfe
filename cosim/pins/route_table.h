// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/routing_context.h"

#include <string>
#include <vector>

namespace sare::cosim {

/// The table of a router that has one route for each destination, whatever the input port. Destination n
/// below the number of nodes N is node n; N + s stands for all targets of a packet that node s multicasts.
struct route_table {
    /// Output port by destination, and mask of VCs that routing allows there. For a packet that forks: port
    /// 0, and the VCs allowed on all branches. Port 0 and no VC if no packet to the destination comes in.
    std::vector<route_candidate> candidates;
    /// Mask of output ports by destination, port 0 in bit 0; several if packets fork; 0: a packet that forks
    /// has no branch here.
    std::vector<std::uint32_t> branches;
    /// Sentence that names the first destination whose output port depends on the input port, so that one
    /// table does not suffice; empty: one does.
    std::string conflict;
};

/// Returns the table of router at.router() for destinations 0 to `destinations` - 1. `ahead`: true: with the
/// output ports at the next router instead (look-ahead), except for packets that fork. The routing function
/// must depend on nothing but router, input port and destination (not checked).
route_table table_of(const routing_context& at, std::uint32_t destinations, bool ahead);

}  // namespace sare::cosim
