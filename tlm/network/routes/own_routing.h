// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <vector>

/// Routing functions that some kinds of routers bring for their network.
namespace sare {

struct experiment;

/// Routing that the routers of a network, or of one of its levels, bring.
struct level_routing {
    std::string topology;  ///< name of the level's topology
    std::string kind;      ///< kind of the level's routers
    config::value own;     ///< section 'routing' that the kind brings; null: it brings none
    std::string usual;  ///< function that the kind takes if 'routing' is left out; "": the topology's default
};
/// Returns the routing of each level of topology::part_of().
std::vector<level_routing> own_routing(const experiment& e);

/// Sets the section 'routing' of `e`, in a hierarchy its list of levels, to the functions that router kinds
/// bring, or to the default if it was left out. `given`: the section as written; null: it was left out.
/// Throws config::error if `given` names another function where a kind brings one.
void take_own_routing(experiment& e, const config::value* given);

/// Returns the function chosen for a section 'routing' that was left out, and why: "dor, the default for
/// mesh", or "..., which routers of this kind bring"; "" if it was written, or fidelity is not flit.
std::string default_routing_text(const experiment& e);

/// Returns the location of a section 'routing' that was left out.
config::location left_out_routing();

/// True if the section 'routing' must be left out, since the kind of all routers brings it.
bool brings_all_routing(const experiment& e);

}  // namespace sare
