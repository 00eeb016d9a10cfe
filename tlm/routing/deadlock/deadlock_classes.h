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

/// True if classes of nodes can stand for all nodes. Conditions: a grid of at least two dimensions, one of
/// them longer than a window (see check_by_classes()), without failed links or routers; a function that
/// treats_dimensions_apart() and knows_routers_only().
bool classes_serve(const deadlock_question& question);

/// Looks for a proof that no cycle of dependencies exists. The verdict is `skipped` if no proof is found,
/// which does not mean a deadlock.
///
/// A homomorphism of graphs takes a cycle to a closed walk, which lies within one strongly connected
/// component (Hell and Nesetril 2004, ch. 1). So the graph of all channels is never built. Built is, for each
/// dimension, its image in which a channel is only its port, its VC and its coordinate in that dimension. Two
/// pairs (port, VC) that follow each other on a cycle also do so within a component of the first image. All
/// others are removed, from the second image, too; then by components of the second, and so on, round and
/// round. If none are left, no cycle exists, of direct dependencies (Dally and Seitz 1987) or of dependencies
/// among escape channels (Duato 1993).
///
/// The image along a dimension needs few nodes. By treats_dimensions_apart(), the hops of a packet depend on
/// its coordinates in this dimension, all of which are looked at, and on few facts about each other
/// dimension. These are whether it must still move there, in which direction, whether the wrap link is ahead,
/// and whether coordinates are odd. All combinations of them occur with packets from a *window*, six
/// coordinates round the wrap link, to both of its ends. Their hops are two before the wrap link, one on it,
/// two behind it, and two far from it, in both directions; on a mesh the packets are between six coordinates.
/// A longer path there only repeats hops of a shorter one, so that without longer paths the image of any two
/// hops is the same. If both ways round a ring are equally long, a packet has the candidates of packets that
/// go either way. Dimensions up to twice a window are looked at whole.
deadlock_report check_by_classes(const deadlock_question& question);

/// Returns parties for a search for a real cycle when check_by_classes() has found no proof. These are the
/// nodes of one line along each dimension and, for up to 5 dimensions, of a small box. The network must be a
/// grid; unchecked.
node_parties few_nodes(const deadlock_question& question);

}  // namespace sare
