// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/place_names.h"

#include <functional>
#include <memory>

namespace sare {

class topology;

/// The section `names` of an experiment: what the routers and nodes of a network are called, beside the names
/// that an edge list gives. Each is a list, from number 0 on, or a map of numbers and names.
struct naming {
    config::value routers, nodes;

    static config::schema<naming> fields();
    bool empty() const {
        return routers.type() == config::value::kind::null && nodes.type() == config::value::kind::null;
    }
    /// The names of `map`, with these. Throws config::error for what no place can be called, or does not
    /// exist.
    place_names over(const topology& map) const;
};

/// The tree of an experiment with numbers where parameters such as `between` say names: those of `docs`, its
/// sections, that are of places, and some of the traffic. `network` is asked once, if any does. Throws
/// config::error for a name that no place has.
config::value with_numbers(const config::value& tree, const std::vector<config::parameter_doc>& docs,
                           const std::function<std::shared_ptr<const topology>()>& network);

}  // namespace sare
