// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <iosfwd>

namespace sare {

/// Writes a network as Graphviz text: routers as boxes, nodes as dots, port numbers at the ends of the edges.
void write_graphviz(const topology& net, std::ostream& out);

/// Writes the edge list from which the topology `graph` makes a network with the same routers, ports, nodes
/// and names. Latencies and cycles per flit are written in cycles of the network; further attributes of links
/// are left out.
void write_edge_list(const topology& net, std::ostream& out);

}  // namespace sare
