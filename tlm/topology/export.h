// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <iosfwd>

namespace sare {

/// Writes a network as Graphviz text: routers as boxes, nodes as dots, port numbers at the ends of the edges.
void write_graphviz(const topology& net, std::ostream& out);

/// Writes the edge list from which the topology `graph` makes a network with the same numbers of routers,
/// ports and nodes, the same names, and the same latencies and cycles per flit, in cycles of the network.
void write_edge_list(const topology& net, std::ostream& out);

}  // namespace sare
