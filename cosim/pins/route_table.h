// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/routing_context.h"

#include <string>
#include <vector>

namespace sare::cosim {

/// The table of a router that has one output port for each destination.
struct route_table {
    std::vector<route_candidate> candidates;  ///< output port and VCs for each destination node
    /// Sentence that names a destination whose output port depends on the input port, so that one table does
    /// not suffice; "": it does.
    std::string conflict;
};

/// Returns the table for the outputs of the router of `at` or, if `ahead`, of the router that comes next. The
/// routing function must depend on nothing but router, input port and destination.
route_table table_of(const routing_context& at, bool ahead);

}  // namespace sare::cosim
