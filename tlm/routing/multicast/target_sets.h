// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/schema.h"
#include "tlm/topology/topology.h"

/// Targets of the nodes that send multicasts.
namespace sare {

/// Targets of a source. It is never a target itself.
enum class target_set : std::uint8_t {
    random,     ///< some nodes, drawn at random
    rectangle,  ///< nodes in a rectangle along dimensions 0 and 1, at a random place in the source's plane
    row,        ///< nodes whose routers have the coordinates of the source's, except along dimension 0
    all         ///< every other node
};

/// Parameters of target sets; target_fields() gives their ranges.
struct target_parameters {
    target_set set = target_set::random;
    std::uint32_t fan_out = 4;                 ///< number of targets of a random set
    std::uint32_t width = 2, height = 2;       ///< routers of a rectangle along dimensions 0 and 1
    config::number_set sources{true, {}, {}};  ///< nodes that have targets
    std::uint64_t seed = 1;                    ///< seed of the random sets
};
/// Returns the schema of target_parameters.
config::schema<target_parameters> target_fields();

/// Returns the targets of each node, ascending; empty for a node that has none. Throws config::error at
/// `section` for sets that the network does not have.
std::vector<std::vector<std::uint32_t>> draw_targets(const topology& net, const target_parameters& p,
                                                     const config::value& section);

}  // namespace sare
