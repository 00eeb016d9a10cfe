// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/tree/fat_tree.h"

#include <fmt/format.h>

namespace sare::variants::tree {
namespace {

struct plain_tree_parameters : link_parameters {
    std::uint32_t degree = 4, depth = 3;
};

config::schema<plain_tree_parameters> fields() {
    config::schema<plain_tree_parameters> all;
    all.number(
           "degree", &plain_tree_parameters::degree, 1, most_ideal_ports - 1, "ports",
           "children of each router: routers, or nodes where there are no deeper ones; at most 1023 where "
           "fidelity is flit")
        .number("depth", &plain_tree_parameters::depth, 1, most_tree_levels, "levels",
                "links from the root to a node: levels of routers, for degree^depth nodes")
        .include(link_fields());
    return all;
}

topology* make(const plain_tree_parameters& p, const config::value& section) {
    tree_shape shape = even_tree(p.degree, 1, p.depth);
    shape.up.back() = 0;
    const std::string degree = std::to_string(p.degree);
    return new fat_tree(
        "tree", shape, p,
        {place(section, "degree"), place(section, "depth"), "'degree' is " + degree,
         fmt::format("'depth' is {} levels of {} children each", p.depth, degree), most_ideal_ports});
}

const config::registration<topology> registered{
    "tree", "A rooted tree with nodes at its leaves; the routers are its other vertices.", fields(), make};

}  // namespace
}  // namespace sare::variants::tree
