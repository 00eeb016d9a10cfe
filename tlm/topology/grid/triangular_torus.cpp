// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/step_network.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::variants::triangular_torus {
namespace {

struct triangular_parameters : link_parameters {
    std::uint32_t w = 8, h = 8;
    bool unidirectional = false;
    std::uint32_t concentration = 1;
};

config::schema<triangular_parameters> fields() {
    using p = triangular_parameters;
    config::schema<p> all;
    all.number("w", &p::w, 1, 65536, "routers", "routers from west to east")
        .number("h", &p::h, 1, 65536, "routers", "routers from south to north")
        .flag("unidirectional", &p::unidirectional, "links lead only east, north-east and north")
        .number("concentration", &p::concentration, 1, most_ports, "nodes", concentration_sentence)
        .include(link_fields());
    return all;
}

/// One way: max(x, y) hops to the router that is x east and y north. Both ways: square ones only; the mean
/// is (7 n^2 - 3 + c / n) / 18 n, and c depends on n modulo 3.
closed_forms known(const triangular_parameters& p) {
    if (p.unidirectional) {
        const double small = std::min(p.w, p.h), large = std::max(p.w, p.h);
        const double mean = (3 * large * (large - 1) + (small - 1) * (small + 1)) / (6 * large);
        return {std::max(p.w, p.h) - 1, mean, std::nullopt};
    }
    if (p.w != p.h) return {};
    const double n = p.w, c = p.w % 3 == 0 ? 0 : p.w % 3 == 1 ? -4 : 4;
    return {2 * p.w / 3, (7 * n * n - 3 + c / n) / (18 * n), std::nullopt};
}

void check_sizes(const triangular_parameters& p, std::uint32_t ports, const config::value& section) {
    const std::string sizes = fmt::format("'w' is {} and 'h' is {}", p.w, p.h);
    const std::string nodes = fmt::format("'concentration' is {}", p.concentration);
    const std::uint64_t routers = std::uint64_t{p.w} * p.h;
    if (routers > most_routers)
        throw config::error(place(section, "w"),
                            fmt::format("{}: more than {} routers", sizes, most_routers));
    if (ports > most_ports)
        throw config::error(place(section, "concentration"),
                            fmt::format("{}: {} ports; a router has at most {}", nodes, ports, most_ports));
    if (routers * p.concentration > most_nodes)
        throw config::error(place(section, "w"),
                            fmt::format("{}, and {}: more than {} nodes", sizes, nodes, most_nodes));
}

topology* make(const triangular_parameters& p, const config::value& section) {
    step_shape shape;
    shape.dims = {p.w, p.h};
    shape.more_axes = 1;
    shape.minus_last = true;
    shape.concentration = p.concentration;
    shape.unidirectional = p.unidirectional;
    check_sizes(p, shape.router_ports() + p.concentration, section);
    const std::uint32_t east = 1 % p.w, north = 1 % p.h;
    shape.steps = {{east, 0}, {east, north}, {0, north}};
    return new step_network("triangular_torus", shape, known(p), p, section);
}

const config::registration<topology> registered{
    "triangular_torus", "A torus with a diagonal, as in SpiNNaker: links east, north-east, north and back.",
    fields(), make};

}  // namespace
}  // namespace sare::variants::triangular_torus
