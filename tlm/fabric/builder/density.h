// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

class network_state;

/// True if the routing function gives a head one candidate at each router, and all routers are of kinds that
/// know the cycle in which each flit will leave (pipelined_model::foresees_from_lists()). False without a
/// routing function.
bool all_foresee(const network_state& net);

/// True if a network is run fastest as network_scale::dense, that is by going through all routers in each
/// cycle instead of looking for the busy ones. Conditions: all_foresee(); at least 0.75 flits leave a router
/// in a cycle in the mean; compact routers are allowed; the map has the network's numbers of routers and
/// nodes; the scale is not huge, and not small with a route table. `load`: mean flits that a node generates
/// in a cycle; 0: not known, and the answer is false. The choice does not change results of a run.
bool is_dense(const network_state& net, double load);

}  // namespace sare
