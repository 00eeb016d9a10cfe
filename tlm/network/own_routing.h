// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <vector>

/// Some kinds of routers bring the routing function of their network.
namespace sare {

struct experiment;

/// What that is for a network, or for a level of one.
struct level_routing {
    std::string topology;  ///< its name
    std::string kind;      ///< of its routers
    config::value own;     ///< the section 'routing'; null: the kind takes any
    std::string usual;     ///< the function that it takes, where only one will do
};
/// By level of topology::part_of().
std::vector<level_routing> own_routing(const experiment& e);

/// Puts it in the place of the section 'routing' of `e`; in a hierarchy into that section's list of levels.
/// `given`: the section as written, null if it was not. Throws config::error where that says something else.
void take_own_routing(experiment& e, const config::value* given);

/// Where the section 'routing' was left out: the function that was chosen, and for what: "dor, the default
/// for a mesh"; else "".
std::string default_routing_text(const experiment& e);

/// What such a section has for its place.
config::location left_out_routing();

/// True if the section 'routing' would be refused, for the kind of all routers brings it.
bool brings_all_routing(const experiment& e);

}  // namespace sare
