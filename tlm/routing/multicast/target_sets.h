// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/schema.h"
#include "tlm/topology/topology.h"

/// Targets of the nodes that send multicasts.
namespace sare {

/// Kind of the set of targets of a source. The source itself is never a target.
enum class target_set : std::uint8_t {
    random,  ///< target_parameters::fan_out nodes, drawn at random
    /// Nodes of a rectangle of routers along dimensions 0 and 1, at a random place in the source's plane.
    rectangle,
    row,  ///< nodes of all routers in the source's row, which is along dimension 0
    all   ///< every other node
};

/// Parameters of target sets; target_fields() gives their ranges.
struct target_parameters {
    target_set set = target_set::random;       ///< kind of the sets
    std::uint32_t fan_out = 4;                 ///< number of targets of a random set
    std::uint32_t width = 2, height = 2;       ///< routers of a rectangle along dimensions 0 and 1
    config::number_set sources{true, {}, {}};  ///< nodes that have targets
    std::uint64_t seed = 1;                    ///< seed of the random sets
};
/// Returns the schema of target_parameters.
config::schema<target_parameters> target_fields();

/// Returns the targets of each node, ascending; empty for a node that has none. Throws config::error at
/// `section` for too many targets, unknown sources, and sets for which `net` lacks coordinates or is too
/// small.
std::vector<std::vector<std::uint32_t>> draw_targets(const topology& net, const target_parameters& p,
                                                     const config::value& section);

}  // namespace sare
