// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/tree/fat_tree.h"

namespace sare::variants::kary_ntree {
namespace {

struct kary_ntree_parameters : link_parameters {
    std::uint32_t k = 4, n = 3;
};

config::schema<kary_ntree_parameters> fields() {
    config::schema<kary_ntree_parameters> all;
    all.number("k", &kary_ntree_parameters::k, 2, most_tree_ports, "ports",
               "down ports of a switch, and as many up ports")
        .number("n", &kary_ntree_parameters::n, 1, most_tree_levels, "levels",
                "levels of k^(n-1) switches each, for k^n nodes")
        .include(link_fields());
    return all;
}

topology* make(const kary_ntree_parameters& p, const config::value& section) {
    const tree_shape shape = even_tree(p.k, p.k, p.n);
    return new fat_tree("kary_ntree", shape, p, words_of_even_tree(shape, section));
}

const config::registration<topology> registered{
    "kary_ntree", "A fat tree of equal switches: n levels, k ports down and k up, k^n nodes.", fields(),
    make};

}  // namespace
}  // namespace sare::variants::kary_ntree
