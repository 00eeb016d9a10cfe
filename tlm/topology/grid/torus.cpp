// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/cartesian.h"

namespace sare::variants::torus {
namespace {

struct torus_parameters : grid_parameters {
    std::vector<bool> wrap{true};
    bool unidirectional = false;
};

config::schema<torus_parameters> torus_fields() {
    config::schema<torus_parameters> fields;
    fields.include(grid_fields())
        .flags("wrap", &torus_parameters::wrap,
               "per dimension (or one flag for all): closed to a ring; otherwise a chain")
        .flag("unidirectional", &torus_parameters::unidirectional, "links lead only to the + neighbour");
    return fields;
}

topology* make_torus(const torus_parameters& p, const config::value& section) {
    grid_shape shape;
    shape.dims = p.dims;
    shape.wrap = p.wrap;
    shape.unidirectional = p.unidirectional;
    shape.concentration = p.concentration;
    return new cartesian("torus", shape, p, section);
}

const config::registration<topology> torus{
    "torus", "A grid whose dimensions are closed to rings; each may be left open.", torus_fields(),
    make_torus};

}  // namespace
}  // namespace sare::variants::torus
