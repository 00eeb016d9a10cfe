// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

#include <iosfwd>
#include <memory>

/// Networks from edge lists; docs/topologies.md has the format.
namespace sare {

/// Returns the network that the edge list `in` describes. `file`: name of the list in errors; `defaults`:
/// attributes for links whose line gives no latency or cycles per flit. Throws config::error "file:line:
/// what" for a wrong list.
std::unique_ptr<topology> read_graph(std::istream& in, const std::string& file,
                                     const link_parameters& defaults);

}  // namespace sare
