// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/deadlock/deadlock.h"

#include <cstdint>
#include <optional>
#include <vector>

/// The check for deadlock by classes of nodes, for grids with too many pairs of nodes to check them all.
namespace sare {

/// Sets of nodes (parties) for a check: every node of a set sends to every node of the same set, and to no
/// other nodes.
using node_parties = std::vector<std::vector<std::uint32_t>>;

/// True if classes of nodes can stand for all nodes: on a grid of at least two dimensions, one of them longer
/// than a window (see check_by_classes()), without failed links or routers, with a function that
/// treats_dimensions_apart() and knows_routers_only().
bool classes_serve(const deadlock_question& question);

/// Looks for a proof that no cycle of dependencies exists. The verdict is `skipped` if no proof is found,
/// which does not mean a deadlock.
///
/// A homomorphism of graphs takes a cycle to a closed walk, which lies within one strongly connected
/// component (Hell and Nesetril 2004, ch. 1). So the graph of all channels is never built, but, for each
/// dimension, its image when all is forgotten of a channel but its port, its VC and its place in that
/// dimension. What may follow what on a cycle (in terms of ports and VCs) is what lies within a component of
/// the first image; then within one of the second among these, and so on, round and round. If nothing is
/// left, no cycle exists, of direct dependencies (Dally and Seitz 1987) or of those among escape channels
/// (Duato 1993).
///
/// The image along a dimension needs few nodes. What a packet does in it and in the others follows, by
/// treats_dimensions_apart(), from its places in this dimension, all of which are looked at, and from little
/// of the others: whether it must go on there, which way, over the wrap link or not yet or no longer, odd or
/// even. All of these are had by packets from a *window*, six coordinates round the wrap link, to both of its
/// ends: two hops before the wrap link, one on it, two behind it, and two that are far from it, in both
/// directions; on a mesh by packets between six coordinates. A path of more hops there only does again what a
/// shorter one does, so leaving the others out gives the same image of any two hops of it. Where both ways
/// round a ring are equally long, a packet is offered what those that go the one or the other way are.
/// Dimensions up to twice a window are looked at whole.
deadlock_report check_by_classes(const deadlock_question& question);

/// Returns parties for a search for a real cycle when classes have found no proof: the nodes of one line
/// along each dimension of a grid and, for up to 5 dimensions, of a small box.
node_parties few_nodes(const deadlock_question& question);

}  // namespace sare
