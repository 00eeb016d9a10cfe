// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/place_names.h"

#include <functional>
#include <memory>

namespace sare {

class topology;

/// The section `names` of an experiment: names of routers and nodes, beside those of an edge list. Each is a
/// list, from number 0 on, or a map from numbers to names.
struct naming {
    config::value routers, nodes;  ///< names as above; null: none

    static config::schema<naming> fields();
    bool empty() const {
        return routers.type() == config::value::kind::null && nodes.type() == config::value::kind::null;
    }
    /// Returns the names that `map` has, overwritten by the ones of this section. Throws config::error for a
    /// text that cannot be a name, or an unknown number.
    place_names over(const topology& map) const;
};

/// Returns the tree of an experiment with numbers in the place of names of routers and nodes, in parameters
/// such as `between`: the ones that `docs` (documentation of the experiment's sections) marks as places, and
/// some of the traffic. Calls `network` once if there is a name. Throws config::error for an unknown name.
config::value with_numbers(const config::value& tree, const std::vector<config::parameter_doc>& docs,
                           const std::function<std::shared_ptr<const topology>()>& network);

}  // namespace sare
