// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/cartesian.h"

namespace sare::variants::mesh {
namespace {

topology* make_mesh(const grid_parameters& p, const config::value& section) {
    grid_shape shape;
    shape.dims = p.dims;
    shape.wrap = {false};
    shape.concentration = p.concentration;
    return new cartesian("mesh", shape, p, section);
}

const config::registration<topology> mesh{
    "mesh", "A grid of any number of dimensions, each of its own size, without wrap links.", grid_fields(),
    make_mesh};

}  // namespace
}  // namespace sare::variants::mesh
