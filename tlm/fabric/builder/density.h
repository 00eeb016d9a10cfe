// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

class network_state;

/// True if the routing function gives a head one candidate at each router, and all routers are of a kind with
/// pipelined_model::foresees_from_lists().
bool all_foresee(const network_state& net);

/// True if a network is best run as network_scale::dense: all_foresee(), it is neither small with a route
/// table (which is then in a near cache) nor huge, and at least 0.75 flits leave a router in a cycle, so that
/// going through all routers costs less than looking for the busy ones. `load`: mean flits that a node
/// generates in a cycle; 0: not known, which returns false. Results do not depend on it.
bool is_dense(const network_state& net, double load);

}  // namespace sare
