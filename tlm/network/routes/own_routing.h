// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <vector>

/// Routing functions that some kinds of routers bring for their network.
namespace sare {

struct experiment;

/// Routing function that the kind of routers of one level of a hierarchy brings; in a network without levels,
/// the kind of all its routers.
struct level_routing {
    std::string topology;  ///< name of the level's topology
    std::string kind;      ///< kind of the level's routers
    config::value own;     ///< section 'routing' that the kind brings; null: it brings none
    std::string usual;  ///< function that the kind takes if 'routing' is left out; "": the topology's default
};
/// Returns the level_routing of each level, by the level number of topology::part_of(); one element for a
/// network without levels.
std::vector<level_routing> own_routing(const experiment& e);

/// Sets the section 'routing' of `e`, in a hierarchy its list of levels, to the functions that router kinds
/// bring; where none is brought, to `given`, or to the default if it was left out. `given`: the section as
/// written; null: it was left out. Throws config::error if `given` is not null although the kind of all
/// routers brings its routing. In a hierarchy, throws it if `given` has no list of its levels, or another
/// function for a level whose kind brings one.
void take_own_routing(experiment& e, const config::value* given);

/// Returns the function that was chosen for a section 'routing' that was left out, and why: "dor, the default
/// for mesh", or "..., which routers of this kind bring". Returns "" if the section was written, if
/// `fidelity` is not flit, or if level_routing::usual or the kinds of a hierarchy's levels have decided.
std::string default_routing_text(const experiment& e);

/// Returns the location that marks a section 'routing' of `e` as one that was left out.
config::location left_out_routing(const experiment& e);

/// True if the section 'routing' must be left out, since the kind of all routers brings it; false for a
/// hierarchy.
bool brings_all_routing(const experiment& e);

}  // namespace sare
