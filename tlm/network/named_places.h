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
    /// True if the section gives no names.
    bool empty() const {
        return routers.type() == config::value::kind::null && nodes.type() == config::value::kind::null;
    }
    /// Returns the names of `map`, with each name that this section gives for a number in the place of the
    /// former one. Throws config::error for a text that cannot be a name, a name that another router (or
    /// node) has already, an unknown number, and a value that is neither a list nor a map.
    place_names over(const topology& map) const;
};

/// Returns the tree of an experiment with numbers in the place of names of routers and nodes. Names are
/// looked for in the parameters that `docs` (documentation of the experiment's sections) marks as places,
/// such as `between`, and in traffic.pattern.nodes, traffic.pairs, traffic.first_node and routing.root. Calls
/// `network` once if there is a name, else never. Throws config::error for an unknown name.
config::value with_numbers(const config::value& tree, const std::vector<config::parameter_doc>& docs,
                           const std::function<std::shared_ptr<const topology>()>& network);

}  // namespace sare
