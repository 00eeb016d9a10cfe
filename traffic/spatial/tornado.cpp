// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::tornado {
namespace {

enum class form { all, x };

struct parameters {
    form dimensions = form::all;
};

const config::registration<pattern, const pattern_context&> registered{
    "tornado",
    "Nearly half way round every dimension of the node grid: the worst case of minimal routing on a torus.",
    config::schema<parameters>().choice(
        "dimensions", &parameters::dimensions, {{"all", form::all}, {"x", form::x}},
        "all: s + ceil(n/2) - 1 in every dimension; x: s + n/2 in dimension 0 only "
        "(INSEE)"),
    [](const parameters& p, const config::value&, const pattern_context& c) {
        return tabulate(c.nodes, [&](std::uint32_t s) {
            return map_coordinates(c.dims, s, [&p](std::size_t dim, std::uint32_t x, std::uint32_t n) {
                if (p.dimensions == form::all) return (x + (n + 1) / 2 - 1) % n;
                return dim == 0 ? (x + n / 2) % n : x;
            });
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::tornado
