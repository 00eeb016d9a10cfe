// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/multicast/multicast.h"
#include "tlm/routing/routing.h"

namespace sare {

/// Form of a tree. merged: the routes from the source to each of its targets, merged. dual_path: two paths
/// along a Hamiltonian path (hamiltonian_places()), which visit the targets before the source, and the
/// targets behind it.
enum class tree_form : std::uint8_t { merged, dual_path };

/// Returns the table of trees that lead from each node to its targets, `targets` by node: the routes of
/// `along`, from node to node as `form` says, merged. A route leaves the tree at the last of its routers that
/// is in it, so that packets come to every router once. On a link the tree may use the VCs that all routes
/// over the link have in common. Throws config::error at `section` if `along` gives several candidates or no
/// route, if routes have no VC in common, or if a packet would leave a router by more than
/// route_set::capacity ports.
multicast_table merge_routes(const topology& net, const routing_function& along, tree_form form,
                             const std::vector<std::vector<std::uint32_t>>& targets,
                             const config::value& section);

}  // namespace sare
