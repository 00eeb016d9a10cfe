// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/cartesian.h"

#include <fmt/format.h>

namespace sare::variants::hypercube {
namespace {

struct hypercube_parameters : link_parameters {
    std::uint32_t n = 4;
    std::uint32_t concentration = 1;
};

config::schema<hypercube_parameters> fields() {
    config::schema<hypercube_parameters> all;
    all.number("n", &hypercube_parameters::n, 1, 24, "dimensions",
               "dimensions of two routers each, 2^n routers")
        .number("concentration", &hypercube_parameters::concentration, 1, most_ports, "nodes",
                concentration_sentence)
        .include(link_fields());
    return all;
}

/// The mesh of n dimensions of size 2: two routers are one link apart, where the torus has two.
topology* make(const hypercube_parameters& p, const config::value& section) {
    grid_shape shape;
    shape.dims.assign(p.n, 2);
    shape.wrap = {false};
    shape.concentration = p.concentration;
    if (shape.router_ports() + p.concentration > most_ports)
        throw config::error(
            place(section, "n"),
            fmt::format("'n' is {} and 'concentration' is {}: {} ports, two for each dimension; a router has "
                        "at most {}",
                        p.n, p.concentration, shape.router_ports() + p.concentration, most_ports));
    return new cartesian("hypercube", shape, p, section);
}

const config::registration<topology> registered{
    "hypercube", "The 2-ary n-cube: routers whose numbers differ in one bit are linked.", fields(), make};

}  // namespace
}  // namespace sare::variants::hypercube
