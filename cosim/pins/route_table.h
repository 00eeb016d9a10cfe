// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/routing_context.h"

#include <string>
#include <vector>

namespace sare::cosim {

/// The table of a router that has one route for each destination, whatever the input port. A destination is a
/// node; behind all nodes it is all targets of a node.
struct route_table {
    std::vector<route_candidate> candidates;  ///< output port by destination, and VCs that all branches have
    std::vector<std::uint32_t> branches;      ///< output ports by destination, as a mask; 0: none
    /// Sentence that names the first destination whose output port depends on the input port, so that one
    /// table does not suffice; empty: one does.
    std::string conflict;
};

/// Returns the table of the router of `at` for so many destinations; or, if `ahead`, the output ports at the
/// router that it leads to. The routing function must depend on nothing but router, input port and
/// destination.
route_table table_of(const routing_context& at, std::uint32_t destinations, bool ahead);

}  // namespace sare::cosim
