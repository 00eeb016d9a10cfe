// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/tree/fat_tree.h"

#include <fmt/format.h>

namespace sare::variants::thin_tree {
namespace {

struct thin_tree_parameters : link_parameters {
    std::uint32_t k = 4, k_up = 2, n = 3;
};

config::schema<thin_tree_parameters> fields() {
    config::schema<thin_tree_parameters> all;
    all.number("k", &thin_tree_parameters::k, 2, most_tree_ports, "ports", "down ports of a switch")
        .number("k_up", &thin_tree_parameters::k_up, 1, most_tree_ports, "ports",
                "up ports of a switch: k to k_up is how the tree thins from level to level; k need not be a "
                "multiple of it")
        .number("n", &thin_tree_parameters::n, 1, most_tree_levels, "levels",
                "levels of switches, for k^n nodes")
        .include(link_fields());
    return all;
}

topology* make(const thin_tree_parameters& p, const config::value& section) {
    if (p.k_up > p.k)
        throw config::error(
            place(section, "k_up"),
            fmt::format(
                "'k_up' is {}; a thin tree has at most as many ports up as down: 'k' is {} (xgft may widen)",
                p.k_up, p.k));
    const tree_shape shape = even_tree(p.k, p.k_up, p.n);
    return new fat_tree("thin_tree", shape, p, words_of_even_tree(shape, section));
}

const config::registration<topology> registered{
    "thin_tree",
    "A fat tree that thins towards the top: n levels of switches with k ports down and k_up up, k^n nodes.",
    fields(), make};

}  // namespace
}  // namespace sare::variants::thin_tree
