// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

#include <iosfwd>
#include <memory>

/// Networks from edge lists; docs/topologies.md has the format.
namespace sare {

/// Reads an edge list. `file`: its name in errors; `defaults`: for lines that give no latency or
/// serialisation. Throws config::error, "file:line: what".
std::unique_ptr<topology> read_graph(std::istream& in, const std::string& file,
                                     const link_parameters& defaults);

}  // namespace sare
