// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/cartesian.h"

namespace sare::variants::ring {
namespace {

struct ring_parameters : link_parameters {
    std::uint32_t n = 8;
    bool unidirectional = false;
    std::uint32_t concentration = 1;
};

config::schema<ring_parameters> ring_fields() {
    config::schema<ring_parameters> fields;
    fields.number("n", &ring_parameters::n, 1, 65536, "routers", "routers in the ring")
        .flag("unidirectional", &ring_parameters::unidirectional, "links lead only to the + neighbour")
        .number("concentration", &ring_parameters::concentration, 1, most_ports, "nodes",
                concentration_sentence)
        .include(link_fields());
    return fields;
}

topology* make_ring(const ring_parameters& p, const config::value& section) {
    grid_shape shape;
    shape.dims = {p.n};
    shape.wrap = {true};
    shape.unidirectional = p.unidirectional;
    shape.concentration = p.concentration;
    return new cartesian("ring", shape, p, section);
}

const config::registration<topology> ring{"ring", "A torus of one dimension.", ring_fields(), make_ring};

}  // namespace
}  // namespace sare::variants::ring
