// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

class network_state;

/// Packets have one way, and all routers are of a kind with pipelined_model::foresees_from_lists().
bool all_foresee(const network_state& net);

/// True if a network is best run as network_scale::dense, where nodes make `load` flits a cycle each (0:
/// nobody knows): its routers all foresee, they have no route table in a near cache, and so many of them have
/// a flit in a cycle that looking for those costs more than going through all. Results do not depend on it.
bool is_dense(const network_state& net, double load);

}  // namespace sare
