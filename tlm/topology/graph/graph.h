// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

#include <iosfwd>
#include <memory>

/// Any network, from an edge list; docs/topologies.md has the format.
namespace sare {

/// Reads an edge list; `file` is its name in errors ("file:line: what"), `defaults` hold for lines that give
/// no latency or serialisation.
std::unique_ptr<topology> read_graph(std::istream& in, const std::string& file,
                                     const link_parameters& defaults);

}  // namespace sare
