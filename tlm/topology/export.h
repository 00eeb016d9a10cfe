// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <iosfwd>

namespace sare {

/// Graphviz text: routers as boxes, nodes as dots, port numbers at the ends of the edges.
void write_graphviz(const topology& net, std::ostream& out);

/// The edge list that the topology `graph` reads back to the same network: same ports, latencies and numbers.
void write_edge_list(const topology& net, std::ostream& out);

}  // namespace sare
