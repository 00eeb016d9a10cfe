// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/routing_context.h"

#include <string>
#include <vector>

namespace sare::cosim {

/// What a router that goes by a table of one port a destination must be told.
struct route_table {
    std::vector<route_candidate> candidates;  ///< by destination
    /// Where one table cannot say it, for the output port depends on the input port: a line that says where.
    /// "" where it can.
    std::string conflict;
};

/// At the router itself, or `ahead`, at the one that comes next. Routing looks at the destination and the
/// input port, and at nothing else.
route_table table_of(const routing_context& at, bool ahead);

}  // namespace sare::cosim
