// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::tornado {
namespace {

enum class form { all, x, nodes };

struct parameters {
    form dimensions = form::all;
};

const config::registration<pattern, const pattern_context&> registered{
    "tornado",
    "Nearly half way round every dimension of the node grid: the worst case of minimal routing on a torus.",
    config::schema<parameters>().choice(
        "dimensions", &parameters::dimensions, {{"all", form::all}, {"x", form::x}, {"nodes", form::nodes}},
        "all: s + ceil(n/2) - 1 in every dimension; x: s + n/2 in dimension 0 only (INSEE); nodes: the "
        "number of the node + n/2 - 1, n of dimension 0, modulo all nodes (FSIN)"),
    [](const parameters& p, const config::value&, const pattern_context& c) {
        if (p.dimensions == form::nodes)
            return tabulate(c.nodes, [&c](std::uint32_t s) {
                return static_cast<std::uint32_t>((std::uint64_t{s} + c.nodes + c.dims[0] / 2 - 1) % c.nodes);
            });
        return tabulate(c.nodes, [&](std::uint32_t s) {
            return map_coordinates(c.dims, s, [&p](std::size_t dim, std::uint32_t x, std::uint32_t n) {
                if (p.dimensions == form::all) return (x + (n + 1) / 2 - 1) % n;
                return dim == 0 ? (x + n / 2) % n : x;
            });
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::tornado
