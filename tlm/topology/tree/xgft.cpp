// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/tree/fat_tree.h"

#include <algorithm>

namespace sare::variants::xgft {
namespace {

struct xgft_parameters : link_parameters {
    xgft_parameters();  // not inline: see grid_parameters
    std::uint32_t h = 0;
    std::vector<std::uint32_t> m, w;
};

xgft_parameters::xgft_parameters() : m{4, 4, 4}, w{1, 4, 4} {}

config::schema<xgft_parameters> fields() {
    config::schema<xgft_parameters> all;
    all.number("h", &xgft_parameters::h, 0, most_tree_levels, "levels",
               "levels of switches; 0: as many as 'm' has numbers")
        .integers("m", &xgft_parameters::m, 1, most_tree_ports, "ports",
                  "children of a switch of each level, the lowest first: those of that level are nodes")
        .integers("w", &xgft_parameters::w, 1, most_tree_ports, "ports",
                  "parents of each node, then those of a switch of each level but the highest; a node has 1; "
                  "left out: as many as the switch has children")
        .follows(
            "m",
            [](xgft_parameters& p) { p.m.assign(p.h != 0 ? p.h : std::max<std::size_t>(p.w.size(), 1), 4); })
        .follows("w",
                 [](xgft_parameters& p) {
                     p.w = {1};
                     if (!p.m.empty()) p.w.insert(p.w.end(), p.m.begin(), p.m.end() - 1);
                 })
        .include(link_fields());
    return all;
}

void check(const xgft_parameters& p, const config::value& section) {
    const auto size = [](std::size_t n) { return std::to_string(n); };
    if (p.m.empty() || p.m.size() > most_tree_levels)
        throw config::error(place(section, "m"), "'m' has " + size(p.m.size()) +
                                                     " numbers; give the children of the switches of 1 to " +
                                                     size(most_tree_levels) + " levels");
    if (p.h != 0 && p.h != p.m.size())
        throw config::error(place(section, "h"), "'h' is " + size(p.h) + " and 'm' has " + size(p.m.size()) +
                                                     " numbers; it must have one for each level");
    if (p.w.size() != p.m.size())
        throw config::error(place(section, "w"), "'w' has " + size(p.w.size()) + " numbers and 'm' " +
                                                     size(p.m.size()) +
                                                     "; both must have one for each level");
    if (p.w[0] != 1)
        throw config::error(place(section, "w"), "'w' is " + list_text(p.w) + ": a node would have " +
                                                     size(p.w[0]) + " parents; the first number must be 1");
}

topology* make(const xgft_parameters& p, const config::value& section) {
    check(p, section);
    tree_shape shape;
    shape.down = p.m;
    shape.up.assign(p.w.begin() + 1, p.w.end());
    shape.up.push_back(0);
    const std::string sizes = "'m' is " + list_text(p.m) + " and 'w' " + list_text(p.w);
    return new fat_tree("xgft", shape, p, {place(section, "m"), place(section, "m"), sizes, sizes});
}

const config::registration<topology> registered{
    "xgft", "The generalised fat tree: any number of children and of parents for each level of switches.",
    fields(), make};

}  // namespace
}  // namespace sare::variants::xgft
